import { beforeEach, describe, expect, test } from 'vitest';
import { createManualClock } from '../../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createSeededRandom } from '../../../../../src/adapters/random/seeded.js';
import { createMemoryTargets } from '../../../../../src/adapters/webhook/memory.js';
import {
  createSubscriptionAcceptance,
  findSubscription,
  maxSubscriptions,
  type SubscriptionAcceptance,
} from '../../../../../src/pipeline/accept/events/subscription.js';
import { createCheckWebhook } from '../../../../../src/pipeline/accept/events/webhook.js';
import { type Bell, createBus } from '../../../../../src/pipeline/bus.js';
import { newDefinitionEvent } from '../../../../../src/pipeline/state/events/event-row.js';
import type { Database } from '../../../../../src/ports/database.js';
import { compact } from '../../../../../src/wire/json/json-reader.js';
import { codeOfAsync } from '../../../../support/codes.js';
import { uuid } from '../../../../support/fixtures.js';

const created = '2026-01-15T10:00:00.000Z';

let database: Database;
let accept: SubscriptionAcceptance;
let rings: number;

beforeEach(() => {
  database = createMemoryDatabase();
  rings = 0;
  const ring = (...bells: readonly Bell[]) => void (rings += bells.filter((bell) => bell === 'subscriptions').length);
  const bus = { ...createBus(), ring };
  const [clock, random] = [createManualClock(), createSeededRandom(1)];
  const checkWebhook = createCheckWebhook({ webhook: createMemoryTargets().connect() });
  accept = createSubscriptionAcceptance({ database, bus, clock, random, checkWebhook });
});

async function insertEvents(count: number, namespace = 'default'): Promise<number> {
  await database.transaction(async (unit) => {
    const start = await unit.count('events', { namespace });
    const events = Array.from({ length: count }, (_, n) => {
      const id = uuid(1_000 + start + n);
      const about = { type: 'datatype_confirmed', reference: id, referenceHash: '', created } as const;
      return newDefinitionEvent({ namespace, id, ...about });
    });
    await unit.insert('events', events);
  });
  const last = await database.last('events', { namespace });
  return last?.sequence ?? 0;
}

const cursorOf = async (options: string) => {
  const name = `app-${await database.count('subscriptions', { namespace: 'default' })}`;
  return (await accept.createSubscription('default', { name, options: compact(options) })).cursor;
};

describe('a new subscription', () => {
  test('begins after the newest event of all namespaces', async () => {
    const last = await insertEvents(3, 'other');
    expect(await cursorOf('{}')).toBe(last);
    expect(await cursorOf('{"firstEvent":"newest"}')).toBe(last);
  });
  test('begins with the first event that its options name', async () => {
    await insertEvents(3);
    expect(await cursorOf('{"firstEvent":"oldest"}')).toBe(0);
    expect(await cursorOf('{"firstEvent":"2"}')).toBe(2);
    expect(await cursorOf('{"firstEvent":-1}')).toBe(-1);
  });
  test('begins before all events if there are none', async () => expect(await cursorOf('{}')).toBe(0));
  test('is refused when its name is taken in its namespace', async () => {
    const { id } = await accept.createSubscription('default', { name: 'app' });
    expect(await codeOfAsync(() => accept.createSubscription('default', { name: 'app' }))).toBe('FF10193');
    expect((await accept.createSubscription('other', { name: 'app' })).id).not.toBe(id);
    expect(rings).toBe(2);
  });
  test('is refused when the namespace has the maximum number, unless it replaces one of them', async () => {
    await database.transaction((unit) =>
      unit.insert(
        'subscriptions',
        Array.from({ length: maxSubscriptions }, (_, n) => ({
          namespace: 'default',
          id: uuid(n),
          name: `app-${n}`,
          transport: 'websockets' as const,
          filter: compact('{}'),
          options: compact('{}'),
          cursor: 0,
          created,
          updated: null,
          maker: null,
        })),
      ),
    );
    expect(await codeOfAsync(() => accept.createSubscription('default', { name: 'more' }))).toBe('PY1008');
    expect(await codeOfAsync(() => accept.replaceSubscription('default', { name: 'more' }))).toBe('PY1008');
    expect((await accept.replaceSubscription('default', { name: 'app-7' })).id).toBe(uuid(7));
    expect((await accept.createSubscription('other', { name: 'more' })).name).toBe('more');
  });
});

test('accepts one of three concurrent requests for one name', async () => {
  const create = () => codeOfAsync(() => accept.createSubscription('default', { name: 'app' }));
  const codes = await Promise.all([create(), create(), create()]);
  expect(codes.sort()).toEqual(['FF10193', 'FF10193', undefined]);
});

describe('replacing', () => {
  test('keeps id, creation time and position', async () => {
    const before = await accept.createSubscription('default', { name: 'app', filter: compact('{"tag":"a"}') });
    await insertEvents(5);
    const options = compact('{"firstEvent":"oldest","readAhead":5}');
    const after = await accept.replaceSubscription('default', { name: 'app', filter: compact('{"tag":"b"}'), options });
    expect(after).toEqual({
      ...before,
      filter: '{"message":{"tag":"b"},"transaction":{},"blockchainevent":{}}',
      options: '{"firstEvent":"0","firstEventGiven":"newest","readAhead":5,"withData":false}',
      updated: expect.stringMatching(/Z$/) as string,
    });
    expect(rings).toBe(2);
  });
  test('with the same request keeps the options, so that no call of a webhook is repeated', async () => {
    for (const options of ['{}', '{"firstEvent":"newest"}', '{"firstEvent":"1"}'].map(compact)) {
      const request = { name: `app-${options.length}`, options };
      const before = await accept.createSubscription('default', request);
      await insertEvents(1);
      expect((await accept.replaceSubscription('default', request)).options).toBe(before.options);
    }
  });
  test('records the credential that replaces it as its maker', async () => {
    const makers = [];
    for (const maker of ['owner', 'ci', undefined, 'owner'])
      makers.push((await accept.replaceSubscription('default', { name: 'app' }, maker)).maker);
    expect(makers).toEqual(['owner', 'ci', null, 'owner']);
    expect((await accept.createSubscription('default', { name: 'new' }, 'ci')).maker).toBe('ci');
  });
  test('creates a subscription that does not exist', async () => {
    const last = await insertEvents(2);
    expect(await accept.replaceSubscription('default', { name: 'app' })).toMatchObject({ cursor: last, updated: null });
  });
});

describe('deleting', () => {
  test('finds it by id or name, in its own namespace only', async () => {
    const { id } = await accept.createSubscription('default', { name: 'one' });
    await accept.createSubscription('default', { name: 'two' });
    expect(await codeOfAsync(() => accept.deleteSubscription('other', id))).toBe('FF10109');
    expect(await codeOfAsync(() => accept.deleteSubscription('other', 'two'))).toBe('FF10109');
    await accept.deleteSubscription('default', id.toUpperCase());
    await accept.deleteSubscription('default', 'two');
    expect(await codeOfAsync(() => accept.deleteSubscription('default', 'two'))).toBe('FF10109');
    expect(await codeOfAsync(() => findSubscription(database, 'default', id))).toBe('FF10109');
    expect(rings).toBe(4);
  });
  test('frees its name for a new one, which begins after the newest event', async () => {
    const { id } = await accept.createSubscription('default', { name: 'app' });
    const last = await insertEvents(2);
    await accept.deleteSubscription('default', 'app');
    const again = await accept.createSubscription('default', { name: 'app' });
    expect(again.cursor).toBe(last);
    expect(again.id).not.toBe(id);
  });
});

test('a refused request stores nothing and rings no bell', async () => {
  const refused = [
    [{ name: '' }, 'FF00140'],
    [{ name: 'a b' }, 'FF00140'],
    [{ name: uuid(1) }, 'FF00141'],
    [{ name: 'svc_app' }, 'PY1105'],
    [{ name: 'app', transport: 'pigeons' }, 'FF10172'],
    [{ name: 'app', filter: compact('{"evnts":"x"}') }, 'PY1601'],
    [{ name: 'app', filter: compact('{"events":"("}') }, 'FF10171'],
    [{ name: 'app', options: compact('{"readahead":1}') }, 'PY1601'],
    [{ name: 'app', options: compact('{"firstEvent":"x"}') }, 'FF10191'],
  ] as const;
  for (const [request, code] of refused) {
    expect(await codeOfAsync(() => accept.createSubscription('default', request))).toBe(code);
    expect(await codeOfAsync(() => accept.replaceSubscription('default', request))).toBe(code);
  }
  expect(await database.count('subscriptions', { namespace: 'default' })).toBe(0);
  expect(rings).toBe(0);
});
