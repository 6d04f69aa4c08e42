import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../src/adapters/database/memory.js';
import { createSilentMetrics } from '../../../../src/adapters/metrics/silent.js';
import { createSeededRandom } from '../../../../src/adapters/random/seeded.js';
import { hashOfHeader } from '../../../../src/domain/hash.js';
import { networkLimits } from '../../../../src/domain/limits.js';
import { topicPin } from '../../../../src/domain/pin.js';
import { createAcceptMessage } from '../../../../src/pipeline/accept/message.js';
import { createBus } from '../../../../src/pipeline/bus.js';
import { headerOf } from '../../../../src/pipeline/records.js';
import { textOf } from '../../../../src/wire/json.js';
import type { BroadcastRequest } from '../../../../src/wire/message.js';
import { codeOfAsync } from '../../../support/codes.js';
import { alice, uuid } from '../../../support/fixtures.js';
import { about } from '../../../support/pipelines.js';
import { rowsOf } from '../../../support/pipelines-check.js';
import { flush } from '../turns.js';

function anAcceptance() {
  const database = createMemoryDatabase();
  const bus = createBus();
  const accept = createAcceptMessage({
    database,
    own: { organization: 'alice', did: alice.did, key: alice.key },
    bus,
    clock: createManualClock(),
    random: createSeededRandom(1),
    metrics: createSilentMetrics(),
    failpoint: { reach: () => Promise.resolve() },
  });
  const rows = async () => [await rowsOf(database, 'messages'), await rowsOf(database, 'data')] as const;
  return { accept: (request: BroadcastRequest) => accept('default', request), rows, database, bus };
}

const values = [{ value: textOf(17) }];

describe('the acceptance of a broadcast', () => {
  it('stores the sealed message and its data, and answers with the record', async () => {
    const { accept, rows } = anAcceptance();
    const header = { topics: ['orders', 'bills'], tag: 'new_order', cid: uuid(7).toUpperCase() };
    const answer = await accept({ header, data: [{ value: textOf({ sku: 'A-1' }) }], idempotencyKey: 'k' });
    const [messages, data] = await rows();
    expect(messages).toHaveLength(1);
    const [row] = messages;
    expect(row).toMatchObject({
      namespace: 'default',
      type: 'broadcast',
      author: alice.did,
      key: alice.key,
      cid: uuid(7),
      tag: 'new_order',
      state: 'ready',
      batch: null,
      pins: ['orders', 'bills'].map(topicPin),
      idempotencyKey: 'k',
      sizeBytes: 1024 + 13,
    });
    expect(row && hashOfHeader(headerOf(row))).toBe(row?.hash);
    expect(data).toMatchObject([{ value: '{"sku":"A-1"}' }]);
    expect(answer).toMatchObject({
      hash: row?.hash,
      state: 'ready',
      header: { id: row?.id, topic: ['orders', 'bills'] },
    });
    expect(answer.data).toEqual(data.map(({ id, hash }) => ({ id, hash })));
    expect(answer.batch).toBeUndefined();
  });

  it('rings when the rows are there, and not for what it refuses', async () => {
    const { accept, rows, bus } = anAcceptance();
    let seen = 0;
    const listening = bus.listen('messages');
    const rung = listening.wait(new AbortController().signal).then(async () => (seen = (await rows())[0].length));
    await codeOfAsync(() => accept({ data: [] }));
    await flush();
    expect(seen).toBe(0);
    await accept({ data: values });
    await rung;
    expect(seen).toBe(1);
  });

  it('gives a message without topics the default one', async () => {
    const { accept } = anAcceptance();
    expect((await accept({ data: values })).header.topics).toEqual(['default']);
    expect((await accept({ header: { topic: ['orders'] }, data: values })).header.topics).toEqual(['orders']);
  });

  it.each<[string, BroadcastRequest, string]>([
    ['no data', {}, 'PY1101'],
    ['empty data', { data: [] }, 'PY1101'],
    ['a group', { group: { members: [] }, data: values }, 'PY1103'],
    ['a group in the header', { header: { group: 'g' }, data: values }, 'PY1103'],
    ['another type', { header: { type: 'private' }, data: values }, 'FF10287'],
    ['another kind of transaction', { header: { txtype: 'none' }, data: values }, 'FF00130'],
    ['a correlation that is no id', { header: { cid: 'seventeen' }, data: values }, 'FF00138'],
    ['a topic that is no name', { header: { topics: ['a b'] }, data: values }, 'FF00140'],
    ['a topic twice', { header: { topics: ['a', 'a'] }, data: values }, 'FF00133'],
    ['a reserved topic', { header: { topics: ['svc_ns_default'] }, data: values }, 'PY1105'],
    ['a reserved tag', { header: { tag: 'svc_define_datatype' }, data: values }, 'PY1105'],
    ['a foreign author', { header: { author: 'bob' }, data: values }, 'FF10206'],
    ['data that nobody holds', { data: [...values, { id: uuid(404) }] }, 'FF10204'],
    ['a long idempotency key', { data: values, idempotencyKey: 'k'.repeat(257) }, 'FF00135'],
    ['more data than a batch can have', about(['a'], 'x'.repeat(networkLimits.maxBatchDataBytes)), 'FF10327'],
  ])('refuses %s, leaves nothing, and the idempotency key free', async (_, request, code) => {
    const { accept, rows } = anAcceptance();
    const idempotencyKey = request.idempotencyKey ?? 'k';
    expect(await codeOfAsync(() => accept({ ...request, idempotencyKey }))).toBe(code);
    expect(await rows()).toEqual([[], []]);
    await accept({ data: values, idempotencyKey: 'k' });
    expect((await rows())[0]).toHaveLength(1);
  });

  it('takes a message that just fits into a batch', async () => {
    const { accept } = anAcceptance();
    const text = 'x'.repeat(networkLimits.maxBatchDataBytes - 1024 - 2);
    expect((await accept(about(['a'], text))).state).toBe('ready');
    expect(await codeOfAsync(() => accept(about(['a'], `${text}x`)))).toBe('FF10327');
  });

  it('stores nothing, no data either, when the idempotency key is used, and names the first message', async () => {
    const { accept, rows } = anAcceptance();
    const first = await accept({ data: values, idempotencyKey: 'k' });
    const before = await rows();
    await expect(accept({ data: [{ value: textOf('again') }], idempotencyKey: 'k' })).rejects.toMatchObject({
      code: 'FF10430',
      status: 409,
      fields: { id: first.header.id },
    });
    expect(await rows()).toEqual(before);
  });

  it('takes one of many requests with the same key that come at once', async () => {
    const { accept, rows } = anAcceptance();
    const codes = await Promise.all(
      Array.from({ length: 32 }, (_, number) =>
        codeOfAsync(() => accept({ ...about(['orders'], number), idempotencyKey: 'k' })),
      ),
    );
    expect(codes.filter((code) => code === undefined)).toHaveLength(1);
    expect(codes.filter((code) => code === 'FF10430')).toHaveLength(31);
    const [messages, data] = await rows();
    expect([messages.length, data.length]).toEqual([1, 1]);
  });

  it('lets another namespace use the same key', async () => {
    const { accept, database, bus } = anAcceptance();
    await accept({ data: values, idempotencyKey: 'k' });
    const parts = { organization: 'alice', did: alice.did, key: alice.key };
    const inOther = createAcceptMessage({
      database,
      own: parts,
      bus,
      clock: createManualClock(),
      random: createSeededRandom(2),
      metrics: createSilentMetrics(),
      failpoint: { reach: () => Promise.resolve() },
    });
    expect((await inOther('other', { data: values, idempotencyKey: 'k' })).header.namespace).toBe('other');
  });
});
