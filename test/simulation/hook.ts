import { type Webhook, WebhookError } from '../../src/ports/webhook.js';
import { textOf } from '../../src/wire/json/json.js';
import { type Connection, createRecord, type Frame, type SubscriptionRecord } from './durable-record.js';
import { insist, type Insistence } from './insist.js';
import type { CallOptions, Life, Simulator } from './life.js';
import type { Party } from './party.js';
import type { Write } from './ports.js';
import { delayOf } from './time.js';
import { InvariantViolation } from './shadow.js';
import type { Disk } from './storage.js';

/** A server to which a node delivers its events. It fails at times. */
export interface Hook {
  /** The connection of one life to the server. */
  port(life: Life): Webhook;
  /** Subscribes at a time within the span. */
  start(party: Party, spanMs: number): void;
  onCommit(writes: readonly Write[]): void;
  /** Removes the events that a rebuild of the node has removed. */
  rebuilt(): Promise<void>;
  heal(): void;
  check(): Promise<void>;
}

export interface HookParts {
  readonly simulator: Simulator;
  /** Name of the party. */
  readonly owner: string;
  readonly disk: Disk;
}

const name = 'hook';

export function createHook({ simulator, owner, disk }: HookParts): Hook {
  const { scheduler, faults, sometimes } = simulator;
  const { random } = scheduler;
  let record: SubscriptionRecord | undefined;
  let isHealed = false;

  function journey(): CallOptions {
    const legs = {
      requestMs: delayOf(simulator, faults().delayMs.peer),
      replyMs: delayOf(simulator, faults().delayMs.peer),
    };
    const error = new WebhookError('unreachable', 'The target does not answer (a simulated fault).');
    if (random.fraction() < faults().peerRequestLost) return { ...legs, lost: { leg: 'request', error } };
    return random.fraction() < faults().peerReplyLost ? { ...legs, lost: { leg: 'reply', error } } : legs;
  }

  /** Each call is a separate connection, which ends when the call has failed. */
  async function deliver(life: Life, frame: Frame): Promise<number> {
    const connection: Connection = { life: life.name, isAutoack: false, isGone: false };
    const receive = (): Promise<number> => {
      if (!isHealed && random.fraction() < 0.3) {
        sometimes('webhook refused');
        return Promise.resolve(500);
      }
      record?.handedOver(connection, [frame]);
      return Promise.resolve(200);
    };
    life.onEnd(() => record?.disconnected(connection));
    try {
      const status = await life.call('webhook', receive, journey());
      if (status === 200) record?.acknowledged(connection, [frame]);
      else record?.disconnected(connection);
      return status;
    } catch (error) {
      sometimes('webhook lost on its way');
      record?.disconnected(connection);
      throw error;
    }
  }

  function subscribe(party: Party): void {
    const options = textOf({ url: 'http://hook.example/events', firstEvent: 'oldest' });
    const request = { name, transport: 'webhooks', options };
    const act: Insistence['act'] = (pipeline) => pipeline.createSubscription('default', request);
    insist({ simulator, party, actor: owner, what: 'subscribes its hook', act });
  }

  return {
    port: (life) => ({
      check: () => Promise.resolve(),
      async call({ body = '' }) {
        const status = await deliver(life, JSON.parse(body) as Frame);
        return { status, headers: {}, body: new Uint8Array() };
      },
    }),
    start: (party, spanMs) =>
      void scheduler.after(random.fraction() * spanMs, owner, 'wants a hook', () => subscribe(party)),
    onCommit(writes) {
      for (const { table, kind, rows } of writes) {
        if (table !== 'subscriptions' || kind !== 'insert') continue;
        for (const row of rows) {
          if (!('name' in row) || row.name !== name || !('id' in row)) continue;
          const id = String(row.id);
          record = createRecord({ simulator, party: owner, disk, id, start: 0, readAhead: 0, isWanted: () => true });
        }
      }
    },
    rebuilt: async () => record?.rebuilt(),
    heal() {
      isHealed = true;
    },
    async check() {
      if (record === undefined) throw new InvariantViolation('I9', `${owner} has never stored its hook`);
      await record.check();
    },
  };
}
