import { isServiceError } from '../../src/wire/errors/error.js';
import type { Pipeline } from '../../src/pipeline/pipeline.js';
import type { DataRow } from '../../src/ports/tables/tables.js';
import { every } from '../../src/ports/tables/where.js';
import { referenceKey } from '../../src/pipeline/state/messages/exact.js';
import type { Simulator } from './life.js';
import type { Party } from './party.js';

export interface DeleterParts {
  readonly simulator: Simulator;
  readonly parties: readonly Party[];
  /** Number of items that users ask to delete. */
  readonly deletions: number;
  readonly spanMs: number;
  /**
   * Whether files of private messages stay with their authors: if blocks are replaced, a receiver that has deleted a
   * file needs it again, and can get it only from its author.
   */
  readonly keepsFiles: boolean;
}

/** Users who delete items of their node: of their own messages and of others'. */
export interface Deleter {
  start(): void;
  /** Deletes an item that the party has received in a private message, if there is one and users delete items. */
  removeReceived(party: Party): Promise<void>;
  /** Items of a party that are deleted, or may be, because the answer was lost. */
  deleted(party: string): readonly DataRow[];
  /** Whether some party has asked to delete the item. */
  hasAsked(id: string): boolean;
}

export function createDeleter({ simulator, parties, deletions, spanMs, keepsFiles }: DeleterParts): Deleter {
  const { scheduler, sometimes } = simulator;
  const { random } = scheduler;
  const asked = new Set<string>();
  const gone = new Map<string, Map<string, DataRow>>(parties.map(({ name }) => [name, new Map<string, DataRow>()]));

  async function remove(party: Party): Promise<void> {
    const serving = party.serving();
    if (serving === undefined) return;
    const rows = await party.disk.rows('data', { namespace: 'default' }, { limit: 1_000 });
    const { id, blobHash } = rows[random.integer(rows.length)] ?? {};
    if (id === undefined || (keepsFiles && blobHash != null && (await isSentFrom(party, blobHash)))) return;
    await ask(party, serving.pipeline, { id, rows });
  }

  async function removeReceived(party: Party): Promise<void> {
    const serving = party.serving();
    if (deletions === 0 || serving === undefined) return;
    const held = { namespace: 'default', type: 'private', state: 'held' } as const;
    const batches = await party.disk.rows('batches', held, { limit: 1_000 });
    const received = batches.flatMap(({ manifest }) => (manifest ?? []).flatMap(({ items }) => items?.data ?? []));
    const { id } = received[random.integer(received.length)] ?? {};
    const rows = await party.disk.rows('data', { namespace: 'default' }, { limit: 1_000 });
    if (id !== undefined) await ask(party, serving.pipeline, { id, rows });
  }

  async function ask(
    party: Party,
    pipeline: Pipeline,
    { id, rows }: { readonly id: string; readonly rows: readonly DataRow[] },
  ): Promise<void> {
    asked.add(id);
    const here = gone.get(party.name);
    // Others may describe the same item differently, so there may be several.
    for (const row of rows.filter((each) => each.id === id)) here?.set(referenceKey(row), row);
    try {
      await pipeline.removeData('default', id);
      sometimes('item deleted');
    } catch (error) {
      // After a fault it may be deleted.
      if (!isServiceError(error) || isServiceError(error, 'not_found')) return;
      if (!isServiceError(error, 'data_needed')) throw error;
      sometimes('item kept for those who need it');
      const left = await party.disk.rows('data', { namespace: 'default', id }, { limit: 1_000 });
      for (const row of left) here?.delete(referenceKey(row));
    }
  }

  async function isSentFrom(party: Party, blob: string): Promise<boolean> {
    const sends = { namespace: every, type: 'dataexchange_send_blob', blob } as const;
    return (await party.disk.rows('operations', sends, { limit: 1 })).length > 0;
  }

  function act(): void {
    const party = parties[random.integer(parties.length)];
    if (party === undefined) return;
    remove(party).catch((error: unknown) => scheduler.fail(new Error('the deletion failed', { cause: error })));
  }

  return {
    start() {
      for (let time = 0; time < deletions; time++) {
        scheduler.after(random.fraction() * spanMs, 'user', 'deletes an item', act);
      }
    },
    removeReceived,
    deleted: (party) => [...(gone.get(party)?.values() ?? [])],
    hasAsked: (id) => asked.has(id),
  };
}
