import { expect, test } from 'vitest';
import { createManualClock } from '../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../src/adapters/database/memory/memory.js';
import { createSilentMetrics } from '../../../../src/adapters/metrics/silent.js';
import { createSeededRandom } from '../../../../src/adapters/random/seeded.js';
import { createDirectJudge } from '../../../../src/adapters/judge/direct.js';
import { createKnownAnswers } from '../../../../src/pipeline/judging/known.js';
import { topicPin } from '../../../../src/domain/messages/pin.js';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import { createAggregate } from '../../../../src/pipeline/aggregate/aggregate.js';
import { markBatchesDue } from '../../../../src/pipeline/state/messages/due-batch.js';
import { describedItems, newMessage } from '../../../../src/pipeline/state/messages/message-row.js';
import type { Throttle } from '../../../../src/pipeline/throttle.js';
import type { Log, LogFields } from '../../../../src/ports/log.js';
import type { Database } from '../../../../src/ports/database.js';
import { aBatchRow, aPinRow } from '../../../support/batch-rows.js';
import { alice, aMessage, anItem, uuid } from '../../../support/fixtures.js';
import { rulebookOf } from '../../../support/rulebook.js';

const system = 'svc_system';
const own = { organization: 'alice', did: alice.did, key: alice.key, keys: [alice.key] };

/** Returns a batch of one message with its pins; without the message if the batch is wanted. */
function aBatch(number: number, topics: string[], state: 'held' | 'wanted') {
  const message = aMessage({ id: uuid(number), topics });
  const contexts = topics.map(topicPin);
  const items = describedItems([anItem()]);
  const manifest = [{ id: message.header.id, hash: message.hash, topics: topics.length }];
  const batch = aBatchRow(number, { state, manifest });
  const { id, hash } = batch;
  const pins = contexts.map((context, index) => aPinRow(batch, context, index, number));
  const place = { items, state: 'ready' as const, pins: contexts, batch: { id, hash }, txid: batch.txid };
  return { batch, pins, messages: state === 'held' ? [newMessage(message, place)] : [] };
}

function aStage(database: Database, debug: Log['debug'], throttle: Pick<Throttle, 'run'> = { run: (part) => part() }) {
  return createAggregate({
    database,
    log: { ...createSilentLog(), debug },
    own,
    clock: createManualClock(),
    random: createSeededRandom(1),
    metrics: createSilentMetrics(),
    judge: createDirectJudge(),
    known: createKnownAnswers(),
    judging: { add: () => undefined },
    rulebook: rulebookOf(),
    connectors: new Map(),
    throttle,
    failpoint: { reach: () => Promise.resolve() },
  });
}

test('decides a context that was also read for other contexts, and leaves no wait', async () => {
  const database = createMemoryDatabase();
  // More contexts than one step takes: the first step reads the last ones as second topics, the next one decides them.
  const late = aBatch(1, ['late'], 'held');
  const early = Array.from({ length: 100 }, (_, i) => aBatch(i + 2, [`t${i}`, 'late'], 'held'));
  const all = [late, ...early];
  await database.transaction(async (unit) => {
    for (const { batch, pins, messages } of all) {
      await unit.insert('batches', [batch]);
      await unit.insert('pins', pins);
      await unit.insert('messages', messages);
    }
    const topics = [...early.map((_, i) => `t${i}`), 'late'];
    await unit.insert(
      'due',
      topics.map((topic) => ({ namespace: system, context: topicPin(topic) })),
    );
  });
  const logged: unknown[] = [];
  const debug = (_: string, fields?: LogFields) => logged.push(fields?.['message']);
  const { step } = aStage(database, debug);
  for (let isWorking = true; isWorking;) isWorking = (await step()).hasWorked;
  const decided = await database.rows('messages', { namespace: 'default' }, { limit: 1_000 });
  expect(decided.filter(({ state }) => state !== 'confirmed')).toEqual([]);
  expect(logged.toSorted()).toEqual(decided.map(({ id }) => id).toSorted());
  expect(await database.rows('waits', {}, { limit: 1_000 })).toEqual([]);
  expect(await database.rows('due', {}, { limit: 1_000 })).toEqual([]);
});

/** Stores a held batch of `count` messages with two contexts each, whose pins are due. */
async function storeBatch(database: Database, count: number): Promise<void> {
  const parts = Array.from({ length: count }, (_, i) => aBatch(i + 1, [`a${i}`, `b${i}`], 'held'));
  const [first] = parts;
  if (first === undefined) throw new Error('There is a message.');
  const { id: batch, hash: batchHash, signer } = first.batch;
  const pins = parts.flatMap((part) => part.pins).map((pin, index) => ({ ...pin, batch, batchHash, index }));
  const manifest = parts.flatMap((part) => part.batch.manifest ?? []);
  await database.transaction(async (unit) => {
    await unit.insert('batches', [{ ...first.batch, manifest }]);
    await unit.insert('pins', pins);
    await unit.insert(
      'messages',
      parts.flatMap((part) => part.messages).map((message) => ({ ...message, batch, batchHash })),
    );
    await markBatchesDue(unit, [{ name: { id: batch, hash: batchHash, signer }, from: 0 }]);
  });
}

test('keeps a batch with more contexts than a step takes due in one row until it is decided', async () => {
  const database = createMemoryDatabase();
  await storeBatch(database, 90);
  const { step } = aStage(database, () => undefined);
  const dueAfter: number[] = [];
  for (let isWorking = true; isWorking;) {
    isWorking = (await step()).hasWorked;
    dueAfter.push(await database.count('due', {}));
  }
  expect(new Set(dueAfter)).toEqual(new Set([1, 0]));
  expect(dueAfter.filter((count) => count === 1).length).toBeGreaterThan(1);
  expect(await database.count('messages', { namespace: 'default', state: 'confirmed' })).toBe(90);
  expect(await database.count('pins', { spent: false })).toBe(0);
});

test('decides the newest due batch in the unit that makes it due, before older due contexts', async () => {
  const database = createMemoryDatabase();
  const parts = Array.from({ length: 90 }, (_, i) => aBatch(i + 1, [`t${i}`], i === 89 ? 'held' : 'wanted'));
  const last = parts.at(-1);
  if (last === undefined) throw new Error('There is a message.');
  const { id: batch, hash: batchHash, signer } = last.batch;
  await database.transaction(async (unit) => {
    for (const { batch: row, pins, messages } of parts) {
      await unit.insert('batches', [row]);
      await unit.insert('pins', pins);
      await unit.insert('messages', messages);
    }
    await unit.insert(
      'due',
      parts.slice(0, -1).map((_, i) => ({ namespace: system, context: topicPin(`t${i}`) })),
    );
    await markBatchesDue(unit, [{ name: { id: batch, hash: batchHash, signer }, from: 0 }]);
    await aStage(database, () => undefined).decideFew(unit);
  });
  expect(await database.count('messages', { namespace: 'default', state: 'confirmed' })).toBe(1);
  expect(await database.count('due', {})).toBeGreaterThan(50);
});

test('decides the remainder of a batch with very many contexts separately, after other due contexts', async () => {
  const database = createMemoryDatabase();
  await storeBatch(database, 400);
  const other = aBatch(1_000, ['other'], 'held');
  let parts = 0;
  const throttle: Pick<Throttle, 'run'> = { run: (part) => ((parts += 1), part()) };
  const { step, remainderStep } = aStage(database, () => undefined, throttle);
  const decided = () => database.count('messages', { namespace: 'default', state: 'confirmed' });
  const rings = new Set<string>();
  const decideAll = async (run: typeof step) => {
    for (let isWorking = true; isWorking;) {
      const result = await run();
      for (const bell of result.rings) rings.add(bell);
      isWorking = result.hasWorked;
    }
  };
  await decideAll(step);
  const usual = await decided();
  expect(usual).toBeGreaterThanOrEqual(200);
  expect(usual).toBeLessThan(240);
  expect(rings).toContain('remainders');
  await database.transaction(async (unit) => {
    await unit.insert('batches', [other.batch]);
    await unit.insert('pins', other.pins);
    await unit.insert('messages', other.messages);
    await unit.insert('due', [{ namespace: system, context: topicPin('other') }]);
  });
  await decideAll(step);
  expect([await decided(), parts]).toEqual([usual + 1, 0]);
  await decideAll(remainderStep);
  expect(await decided()).toBe(401);
  expect(parts).toBeGreaterThan(5);
  expect(await database.count('pins', { spent: false })).toBe(0);
  expect(await database.count('due', {})).toBe(0);
});
