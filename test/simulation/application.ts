import type { Reader } from '../../src/ports/database.js';
import type { EventRow, Tables } from '../../src/ports/tables/tables.js';
import type { Attachment } from '../../src/pipeline/deliver/delivery.js';
import { textOf } from '../../src/wire/json/json.js';
import { every } from '../../src/ports/tables/where.js';
import { type Connection, createRecord, type Frame, type SubscriptionRecord } from './durable-record.js';
import { readFrames } from './frames.js';
import { insist, type Insistence } from './insist.js';
import type { Life, Simulator } from './life.js';
import { mainNamespace } from './namespaces.js';
import type { Party } from './party.js';
import type { Write } from './ports.js';
import { InvariantViolation } from './shadow.js';
import { createChangingWish, messageWishes, type Wish } from './wishes.js';

/** An application that uses a node's events: it creates a durable subscription, connects, dies and reconnects. */
export interface Application {
  start(spanMs: number): void;
  /** Stops dying, and acknowledges everything that it receives. */
  heal(): void;
  /** Closes its connections permanently. */
  part(): void;
  /** Checks, after `part`, that its node has stored its position, counting events that do not match. */
  checkParted(): Promise<void>;
  onCommit(writes: readonly Write[]): void;
  /** Called after a rebuild of the node has removed events. */
  rebuilt(): Promise<void>;
  check(): Promise<void>;
}

const repeatMs = 700;
/** More than a node takes to notice what it was not told of. */
const noticeMs = 6_000;

export interface ApplicationParts {
  readonly simulator: Simulator;
  readonly party: Party;
  readonly name: string;
  readonly namespace?: string;
  /** Whether it is replaced and removed several times, with other filters. */
  readonly isFickle?: boolean;
  /** The filters to choose from; by default those of messages. */
  readonly wishes?: readonly Wish[];
}

export function createApplication(parts: ApplicationParts): Application {
  const { simulator, party, name, namespace = mainNamespace, isFickle = false, wishes = messageWishes } = parts;
  const { scheduler, sometimes } = simulator;
  const { random } = scheduler;
  const wish = createChangingWish(simulator, wishes);
  const records = new Map<string, SubscriptionRecord>();
  let options = drawOptions();
  const leaving = new Set<() => void>();
  let isHealed = false;
  let wasConnected = false;
  let isOver = false;
  /** The newest event when it parted; its node need not examine later ones. */
  let lastWanted: Promise<EventRow | undefined> | undefined;
  /** The life of its node when it parted. One that a rebuild ends may not have stored the position. */
  let lastLife: Life | undefined;

  function drawOptions() {
    const firstEvent = ['oldest', 'newest', random.integer(12), String(random.integer(12))][random.integer(4)];
    const isBatch = random.fraction() < 0.2;
    return {
      firstEvent,
      readAhead: (isBatch ? 1 : 0) + random.integer(4),
      ...(isBatch && { batch: true, batchTimeout: '20ms' }),
    };
  }

  function request() {
    const filter = wish.filter();
    return { name, options: textOf(options), ...(filter !== undefined && { filter: textOf(filter) }) };
  }

  const ask = (what: string, act: Insistence['act'], done?: () => void): void =>
    insist({ simulator, party, actor: name, what, act, ...(done && { done }) });

  /** Returns what to do once it is answered: some time later, the node uses the new filter even if a ring was lost. */
  function changeFilter(): () => void {
    sometimes('filter of a subscription replaced');
    const isUsedAfter = wish.change();
    const note = async (): Promise<void> =>
      isUsedAfter((await party.disk.last('events', { namespace: every }))?.sequence ?? 0);
    return () => void scheduler.after(noticeMs, name, 'has another filter', () => void note());
  }

  const create = (): void => ask('subscribes', (pipeline) => pipeline.createSubscription(namespace, request()));
  const replace = (): void => {
    sometimes('subscription replaced');
    const onChanged = isFickle ? changeFilter() : undefined;
    options = { ...options, readAhead: (options.readAhead + 1 + random.integer(3)) % 5 };
    if (options.readAhead === 0) options = { ...options, readAhead: 1 };
    for (const record of records.values()) record.widen(options.readAhead);
    ask('replaces', (pipeline) => pipeline.replaceSubscription(namespace, request()), onChanged);
  };
  const remove = (): void => {
    sometimes('subscription removed');
    ask('unsubscribes', (pipeline) => pipeline.deleteSubscription(namespace, name));
    scheduler.after(random.integer(5_000), name, 'subscribes anew', create);
  };

  /** Connects in a random manner: dying before or after an acknowledgement, slow, out of order, or well-behaved. */
  function connect(): void {
    if (isOver) return;
    const serving = party.serving();
    const later = (): void => void scheduler.after(repeatMs, name, 'connects again', connect);
    if (serving === undefined) {
      later();
      return;
    }
    const { life, pipeline } = serving;
    wasConnected ||= isHealed;
    const isAutoack = random.fraction() < 0.15;
    const connection: Connection = { life: life.name, isAutoack, isGone: false };
    const slownessMs = isHealed ? 5 : ([5, 50, 1_500][random.integer(3)] ?? 5);
    const dropsAcknowledgement = random.fraction() < 0.2;
    const namesNoId = random.fraction() < 0.2;
    let attachment: Attachment | undefined;
    let isTold = false;

    function leave(): void {
      if (connection.isGone) return;
      leaving.delete(leave);
      for (const record of records.values()) record.disconnected(connection);
      connection.isGone = true;
      void opened.then((open) => open?.close());
      const [late] = underWay;
      if (late !== undefined) {
        scheduler.after(random.fraction() * 1_500, name, 'acknowledges too late', () => {
          if (attachment?.acknowledge(late) !== true) return;
          scheduler.fail(
            new InvariantViolation('I9', `a connection on ${name} of ${life.name} acknowledges after its end`),
          );
        });
      }
      if (isOver) return;
      if (!life.isDead) scheduler.after(random.fraction() * 2_000, name, 'reconnects', connect);
      else later();
    }

    function acknowledge(record: SubscriptionRecord, id: string, frames: readonly Frame[]): void {
      if (connection.isGone || life.isDead || attachment === undefined) return;
      if (dropsAcknowledgement && !isHealed && random.fraction() < 0.3) {
        leave();
        return;
      }
      // Without an id the oldest event in flight is acknowledged, which must be determined beforehand.
      const [oldest] = underWay;
      const isOldest = oldest === id;
      underWay.delete(id);
      record.acknowledged(connection, frames);
      // An acknowledgement sent before the disconnection is noticed is only late.
      if (attachment.acknowledge(namesNoId && isOldest ? undefined : id) === isTold) {
        const outcome = isTold ? 'taken after the end' : 'refused';
        scheduler.fail(new InvariantViolation('I9', `an acknowledgement on ${name} of ${life.name} is ${outcome}`));
      }
    }

    const underWay = new Set<string>();
    const opened = pipeline.delivery
      .attach({
        namespace,
        name,
        transport: 'websockets',
        isAutoack,
        subscriber: {
          deliver: async (handover) => {
            if (connection.isGone) return;
            const text = handover.text();
            const { id, frames, subscription } = readFrames(text);
            const record = records.get(subscription);
            if (record === undefined) {
              scheduler.fail(new InvariantViolation('I9', `${name} of ${life.name} gets events of a stranger`));
              return;
            }
            record.handedOver(connection, frames);
            underWay.add(id);
            await life.call('event', () => Promise.resolve(), {
              requestMs: random.fraction() * Math.min(slownessMs, 400),
            });
            if (isAutoack) return;
            scheduler.after(random.fraction() * slownessMs, name, 'acknowledges', () =>
              acknowledge(record, id, frames),
            );
          },
          end() {
            isTold = true;
            scheduler.after(1, name, 'is told to end', leave);
          },
        },
      })
      .then(
        (made) => {
          attachment = made;
          return made;
        },
        () => {
          leave();
          return undefined;
        },
      );
    life.onEnd(leave);
    leaving.add(leave);
    if (!isHealed && random.fraction() < 0.6) {
      scheduler.after(random.fraction() * 4_000, name, 'dies', () => void (isHealed || leave()));
    }
  }

  /** The position of a new subscription is set in its unit, after everything committed before (docs/api.md §14.3). */
  async function checkStart({ firstEvent }: typeof options, cursor: number, disk: Reader): Promise<void> {
    const newest = await disk.last('events', { namespace: every });
    const expected =
      firstEvent === 'newest' ? (newest?.sequence ?? 0) : firstEvent === 'oldest' ? 0 : Number(firstEvent);
    if (cursor !== expected) {
      scheduler.fail(new InvariantViolation('I9', `${name} begins after ${cursor}, not ${expected}`));
    }
  }

  return {
    start(spanMs) {
      const at = (what: string, act: () => void): void =>
        void scheduler.after(random.fraction() * spanMs, name, what, act);
      at('subscribes', create);
      const count = 1 + random.integer(3);
      for (let index = 0; index < count; index++) at('connects', connect);
      if (random.fraction() < 0.2) at('replaces', replace);
      if (random.fraction() < 0.15) at('unsubscribes', remove);
      if (!isFickle) return;
      for (let time = 0; time < 2; time++) {
        at('replaces', replace);
        if (random.fraction() < 0.3) at('unsubscribes', remove);
      }
    },
    heal() {
      isHealed = true;
    },
    part() {
      isOver = true;
      // A subscription that waits for its node's restart has examined nothing since.
      if (leaving.size === 0) wasConnected = false;
      lastWanted = party.disk.last('events', { namespace: every });
      lastLife = party.life();
      for (const leave of leaving) leave();
    },
    async checkParted() {
      // With another filter, events may come that it need not get, and it may part before it acknowledges them.
      if (lastLife?.isDead !== false || wish.hasChanged()) return;
      const newest = await lastWanted;
      const newestFirst = { limit: 1_000, newestFirst: true };
      for (const { id, cursor } of await party.disk.rows('subscriptions', { namespace: every }, newestFirst)) {
        if (!records.has(id) || !wasConnected || cursor >= (newest?.sequence ?? 0)) continue;
        throw new InvariantViolation('I9', `${name} has looked at all events, and its position stays at ${cursor}`);
      }
    },
    onCommit(writes) {
      for (const { table, kind, rows } of writes) {
        if (table !== 'subscriptions' || kind !== 'insert') continue;
        for (const row of rows) {
          if (!isSubscription(row) || row.name !== name || row.namespace !== namespace) continue;
          for (const record of records.values()) record.removed();
          const { disk } = party;
          const { readAhead } = options;
          const { id, cursor: start } = row;
          records.set(
            id,
            createRecord({ simulator, party: party.name, disk, id, namespace, start, readAhead, ...wish }),
          );
          checkStart(options, start, disk).catch((error: unknown) =>
            scheduler.fail(new Error('the check failed', { cause: error })),
          );
        }
      }
    },
    async rebuilt() {
      for (const record of records.values()) await record.rebuilt();
    },
    async check() {
      const here = new Set(
        (await party.disk.rows('subscriptions', { namespace: every }, { limit: 1_000 })).map(({ id }) => id),
      );
      for (const record of records.values()) {
        if (!here.has(record.id)) record.removed();
        await record.check();
      }
    },
  };
}

function isSubscription(row: object): row is Pick<Tables['subscriptions'], 'namespace' | 'id' | 'name' | 'cursor'> {
  return 'cursor' in row && 'name' in row && 'id' in row;
}
