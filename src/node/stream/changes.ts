import { definitionTopic, systemNamespace } from '../../domain/network/identity.js';
import type { CollectionName } from '../../wire/lists/fields.js';
import type { Bus } from '../../pipeline/bus.js';
import type { Clock } from '../../ports/clock.js';
import type { Reader } from '../../ports/database.js';
import type { Log } from '../../ports/log.js';
import { above, atMost, both, every, having } from '../../ports/tables/where.js';

/** Called when a collection of the namespace may have new rows without an event. */
export type ChangeListener = (collection: CollectionName) => void;

/**
 * Notifies of changes without an event: a pending message, uploaded data, a changed subscription, a client that
 * connects or disconnects.
 */
export interface Changes {
  /**
   * Calls the listener until the returned function is called; the first call follows at once, for changes before it.
   */
  watch(namespace: string, listener: ChangeListener): () => void;
  /** Notifies the watchers of a namespace that one of its collections may have changed. */
  changed(namespace: string, collection: CollectionName): void;
  stop(): Promise<void>;
}

export interface ChangesParts {
  readonly bus: Bus;
  readonly database: Reader;
  readonly clock: Clock;
  readonly log: Log;
}

/** Minimum time between two checks, whatever the rate of messages. */
const intervalMs = 100;

/**
 * Creates the notifications. It checks for new messages when a bell rings and there are watchers. A bell has no
 * namespace, so each watched namespace is checked separately: a client only learns of the namespace it may see.
 */
export function createChanges({ bus, database, clock, log }: ChangesParts): Changes {
  const stopping = new AbortController();
  const watched = new Map<string, Set<ChangeListener>>();
  // Messages of this node's applications ring the first bell, those of other parties the second.
  const listening = bus.listen('messages', 'received');
  /** Sequence of the newest message, of any namespace, whose watchers were notified. */
  let told = 0;

  async function look(): Promise<void> {
    if (watched.size === 0) return;
    const newest = await database.last('messages', { namespace: every, sequence: above(told) });
    if (newest === undefined) return;
    const sequence = both(above(told), atMost(newest.sequence));
    for (const [namespace, listeners] of watched) {
      // The system namespace stores the definitions of other namespaces, whose lists show them.
      const topics = having(definitionTopic(namespace));
      const shown =
        (await database.last('messages', { namespace, sequence })) ??
        (await database.last('messages', { namespace: systemNamespace, topics, sequence }));
      if (shown !== undefined) for (const listener of listeners) listener('messages');
    }
    told = newest.sequence;
  }

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await listening.wait(signal);
      try {
        await look();
      } catch (error) {
        log.warn('The check for new messages failed', { error });
      }
      await clock.sleep(intervalMs, signal);
    }
  }
  const running = run(stopping.signal);

  return {
    watch(namespace, listener) {
      const listeners = watched.get(namespace) ?? new Set();
      watched.set(namespace, listeners);
      listeners.add(listener);
      listener('messages');
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && watched.get(namespace) === listeners) watched.delete(namespace);
      };
    },
    changed(namespace, collection) {
      for (const listener of watched.get(namespace) ?? []) listener(collection);
    },
    async stop() {
      stopping.abort('stopping');
      await running;
      listening.close();
    },
  };
}
