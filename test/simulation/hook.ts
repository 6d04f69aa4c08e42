import type { Webhook } from '../../src/ports/webhook.js';
import { WebhookError } from '../../src/ports/webhook.js';
import { isServiceError } from '../../src/wire/errors/error.js';
import { textOf } from '../../src/wire/json/json.js';
import { every } from '../../src/ports/tables/where.js';
import { type Connection, createRecord, type Frame, type SubscriptionRecord } from './durable-record.js';
import type { CallOptions, Life, Simulator } from './life.js';
import type { Party } from './party.js';
import type { Write } from './ports.js';
import { delayOf } from './time.js';
import { InvariantViolation } from './shadow.js';

/** A server to which a node delivers its events, and which fails at times. */
export interface Hook {
  /** The way of one life to the server. */
  port(life: Life): Webhook;
  /** Subscribes at a time within the span. */
  start(party: Party, spanMs: number): void;
  onCommit(party: Party, writes: readonly Write[]): void;
  heal(): void;
  check(party: Party): Promise<void>;
}

const name = 'hook';
const repeatMs = 700;

export function createHook(simulator: Simulator): Hook {
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

  /** Each call is a connection of its own, which is over when the call has failed. */
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

  /** Subscribes until it is answered: answers are lost, and nodes dead. */
  function subscribe(party: Party): void {
    const again = (): void => void scheduler.after(repeatMs, party.name, 'subscribes its hook', () => subscribe(party));
    const serving = party.serving();
    if (serving === undefined) {
      again();
      return;
    }
    let isOver = false;
    const once = (next: () => void) => (): void => {
      if (isOver) return;
      isOver = true;
      next();
    };
    serving.life.onEnd(once(again));
    const options = textOf({ url: 'http://hook.example/events', firstEvent: 'oldest' });
    serving.pipeline.createSubscription('default', { name, transport: 'webhooks', options }).then(
      once(() => undefined),
      (error: unknown) => once(isServiceError(error, 'name_taken') ? () => undefined : again)(),
    );
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
      void scheduler.after(random.fraction() * spanMs, party.name, 'wants a hook', () => subscribe(party)),
    onCommit({ name: party, disk }, writes) {
      for (const { table, kind, rows } of writes) {
        if (table !== 'subscriptions' || kind !== 'insert') continue;
        for (const row of rows) {
          if (!('name' in row) || row.name !== name || !('id' in row)) continue;
          const id = String(row.id);
          record = createRecord({ simulator, party, disk, id, start: 0, readAhead: 0, isWanted: () => true });
        }
      }
    },
    heal() {
      isHealed = true;
    },
    async check({ name: party, disk }) {
      if (record === undefined) {
        const count = await disk.count('subscriptions', { namespace: every });
        throw new InvariantViolation('I9', `none of the ${count} subscriptions of ${party} is its hook`);
      }
      await record.check();
    },
  };
}
