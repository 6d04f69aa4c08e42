import { describe, expect, it } from 'vitest';
import { hashOfHeader } from '../../../../../src/domain/hash.js';
import { networkLimits } from '../../../../../src/domain/network/limits.js';
import { faultOfMessage } from '../../../../../src/domain/messages/message.js';
import { topicPin } from '../../../../../src/domain/messages/pin.js';
import { headerOf } from '../../../../../src/pipeline/records/records.js';
import { textOf } from '../../../../../src/wire/json/json.js';
import type { BroadcastRequest, PrivateRequest } from '../../../../../src/wire/messages/message.js';
import { codeOfAsync } from '../../../../support/codes.js';
import { uuid } from '../../../../support/fixtures.js';
import { about } from '../../../../support/pipelines.js';
import { rowsOf } from '../../../../support/pipelines-check.js';
import { flush } from '../../event-loop.js';
import { anAcceptance, deskKey, member, own } from './acceptance.js';

async function aBroadcaster() {
  const { acceptMessage, ...rest } = await anAcceptance();
  return { accept: (request: BroadcastRequest) => acceptMessage('default', request), acceptMessage, ...rest };
}

const values = [{ value: textOf(17) }];

describe('the acceptance of a broadcast', () => {
  it('stores the sealed message and its data, and answers with the record', async () => {
    const { accept, rows } = await aBroadcaster();
    const header = { topics: ['orders', 'bills'], tag: 'new_order', cid: uuid(7).toUpperCase() };
    const answer = await accept({ header, data: [{ value: textOf({ sku: 'A-1' }) }], idempotencyKey: 'k' });
    const [messages, data] = await rows();
    expect(messages).toHaveLength(1);
    const [row] = messages;
    expect(row).toMatchObject({
      namespace: 'default',
      type: 'broadcast',
      author: own.did,
      key: own.key,
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

  it('rings the bell after the rows are stored, and not for a refused message', async () => {
    const { accept, rows, bus } = await aBroadcaster();
    let storedAtRing = 0;
    const listening = bus.listen('messages');
    const rung = listening
      .wait(new AbortController().signal)
      .then(async () => (storedAtRing = (await rows())[0].length));
    await codeOfAsync(() => accept({ data: [] }));
    await flush();
    expect(storedAtRing).toBe(0);
    await accept({ data: values });
    await rung;
    expect(storedAtRing).toBe(1);
  });

  it('gives a message without topics the default topic', async () => {
    const { accept } = await aBroadcaster();
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
    ['an invalid correlation id', { header: { cid: 'seventeen' }, data: values }, 'FF00138'],
    ['an invalid topic', { header: { topics: ['a b'] }, data: values }, 'FF00140'],
    ['a topic twice', { header: { topics: ['a', 'a'] }, data: values }, 'FF00133'],
    ['a reserved topic', { header: { topics: ['svc_ns_default'] }, data: values }, 'PY1105'],
    ['a reserved tag', { header: { tag: 'svc_define_datatype' }, data: values }, 'PY1105'],
    ['a foreign author', { header: { author: 'bob' }, data: values }, 'FF10206'],
    ['unknown data', { data: [...values, { id: uuid(404) }] }, 'FF10204'],
    ['a long idempotency key', { data: values, idempotencyKey: 'k'.repeat(257) }, 'FF00135'],
    ['more data than a batch can have', about(['a'], 'x'.repeat(networkLimits.maxBatchDataBytes)), 'FF10327'],
  ])('refuses %s, stores nothing, and leaves the idempotency key free', async (_, request, code) => {
    const { accept, rows } = await aBroadcaster();
    const idempotencyKey = request.idempotencyKey ?? 'k';
    expect(await codeOfAsync(() => accept({ ...request, idempotencyKey }))).toBe(code);
    expect(await rows()).toEqual([[], []]);
    await accept({ data: values, idempotencyKey: 'k' });
    expect((await rows())[0]).toHaveLength(1);
  });

  it('takes a message of exactly the size of a batch, and no larger one', async () => {
    const { accept } = await aBroadcaster();
    const text = 'x'.repeat(networkLimits.maxBatchDataBytes - 1024 - 2);
    expect((await accept(about(['a'], text))).state).toBe('ready');
    expect(await codeOfAsync(() => accept(about(['a'], `${text}x`)))).toBe('FF10327');
  });

  it('stores no message and no data when the idempotency key is used, and names the first message', async () => {
    const { accept, rows } = await aBroadcaster();
    const first = await accept({ data: values, idempotencyKey: 'k' });
    const before = await rows();
    await expect(accept({ data: [{ value: textOf('again') }], idempotencyKey: 'k' })).rejects.toMatchObject({
      code: 'FF10430',
      status: 409,
      fields: { id: first.header.id },
    });
    expect(await rows()).toEqual(before);
  });

  it('refuses a used idempotency key also when the data it refers to is deleted since', async () => {
    const { accept, database } = await aBroadcaster();
    const { data } = await accept({ data: values });
    const request = { data: data.map(({ id }) => ({ id })), idempotencyKey: 'k' };
    await accept(request);
    await database.transaction((unit) => unit.remove('data', { namespace: 'default', id: data.map(({ id }) => id) }));
    expect(await codeOfAsync(() => accept({ ...request, idempotencyKey: 'other' }))).toBe('FF10204');
    expect(await codeOfAsync(() => accept(request))).toBe('FF10430');
  });

  it('takes one of many concurrent requests with the same idempotency key', async () => {
    const { accept, rows } = await aBroadcaster();
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

  it('takes the same idempotency key in another namespace', async () => {
    const { accept, acceptMessage } = await aBroadcaster();
    await accept({ data: values, idempotencyKey: 'k' });
    const other = await acceptMessage('other', { data: values, idempotencyKey: 'k' });
    expect(other.header.namespace).toBe('other');
  });
});

describe('the acceptance of a private message', () => {
  const group = { members: [{ identity: 'bob' }] };

  it('stores it with its group, and gives it pins only when it is sealed', async () => {
    const { acceptPrivate, rows, database } = await anAcceptance();
    const answer = await acceptPrivate('default', { header: { topics: ['orders'] }, group, data: values });
    const [stored] = await rowsOf(database, 'groups');
    const [[row]] = await rows();
    expect(stored).toMatchObject({ namespace: 'default', name: '', members: [member('alice'), member('bob')] });
    expect(row).toMatchObject({ type: 'private', group: stored?.hash, state: 'ready', pins: [], nonces: null });
    expect(row && hashOfHeader(headerOf(row))).toBe(row?.hash);
    expect(answer).toMatchObject({ header: { type: 'private', group: stored?.hash }, state: 'ready' });
    expect(answer.pins).toBeUndefined();
    expect(await rowsOf(database, 'operations')).toEqual([]);
  });

  it('takes one without data, and one from a custom identity of this node', async () => {
    const { acceptPrivate, database } = await anAcceptance();
    const answer = await acceptPrivate('default', { header: { author: 'alice-desk' }, group });
    expect(answer).toMatchObject({ header: { author: 'did:parley:alice-desk', key: deskKey }, data: [] });
    const [stored] = await rowsOf(database, 'groups');
    const desk = { identity: 'did:parley:alice-desk', node: member('alice').node };
    expect(stored?.members).toEqual([desk, member('bob')]);
  });

  it.each<[string, PrivateRequest, string]>([
    ['no group', { data: values }, 'FF00115'],
    ['another type', { header: { type: 'broadcast' }, group }, 'FF10287'],
    ['an unknown kind of transaction', { header: { txtype: 'token_pool' }, group }, 'FF00130'],
    ['a reserved topic', { header: { topics: ['svc_x'] }, group }, 'PY1105'],
    ['a foreign author', { header: { author: 'bob' }, group }, 'FF10206'],
    ['an unknown member', { group: { members: [{ identity: 'dave' }] } }, 'FF10277'],
    [
      'more data than a batch can have',
      { ...about(['a'], 'x'.repeat(networkLimits.maxBatchDataBytes)), group },
      'FF10328',
    ],
    [
      'more data without a batch',
      { ...about(['a'], 'x'.repeat(networkLimits.maxBatchDataBytes)), group, header: { txtype: 'none' } },
      'FF10328',
    ],
  ])('refuses %s and stores nothing, not even the group', async (_, request, code) => {
    const { acceptPrivate, rows, database } = await anAcceptance();
    expect(await codeOfAsync(() => acceptPrivate('default', { ...request, idempotencyKey: 'k' }))).toBe(code);
    expect(await rows()).toEqual([[], []]);
    expect(await rowsOf(database, 'groups')).toEqual([]);
    await acceptPrivate('default', { group, idempotencyKey: 'k' });
  });

  it('refuses a message in the system namespace', async () => {
    const { acceptPrivate } = await anAcceptance();
    const header = { topics: ['svc_smoke'], tag: 'svc_smoke' };
    expect(await codeOfAsync(() => acceptPrivate('svc_system', { header, group }))).toBe('FF10415');
  });

  it('shares the idempotency keys of its namespace with broadcasts', async () => {
    const { acceptMessage, acceptPrivate } = await anAcceptance();
    await acceptMessage('default', { data: values, idempotencyKey: 'k' });
    expect(await codeOfAsync(() => acceptPrivate('default', { group, idempotencyKey: 'k' }))).toBe('FF10430');
  });
});

describe('the acceptance of a definition', () => {
  it('stores a message in the system namespace, with reserved names and one data item', async () => {
    const { acceptDefinition, rows } = await anAcceptance();
    const topic = `svc_ns_${'x'.repeat(64)}`;
    const value = textOf({ name: 'order' });
    const answer = await acceptDefinition({ tag: 'svc_define_datatype', topics: [topic], value });
    expect(answer).toMatchObject({
      header: { type: 'definition', namespace: 'svc_system', topics: [topic], author: own.did },
      state: 'ready',
      pins: [topicPin(topic)],
    });
    const [[row], [item]] = await rows();
    expect(row).toBeDefined();
    expect(row && faultOfMessage({ header: headerOf(row), hash: row.hash, data: row.data })).toBeUndefined();
    expect(item).toMatchObject({ namespace: 'svc_system', value });
  });
});

describe('the idempotency key of a definition', () => {
  const definition = (namespace: string) => ({
    tag: 'svc_define_ffi',
    topics: [`svc_ns_${namespace}`],
    value: textOf({}),
    idempotencyKey: 'k',
  });

  it('belongs to the namespace that the definition is for, and to no other', async () => {
    const { acceptDefinition, acceptMessage } = await anAcceptance();
    await acceptDefinition(definition('default'));
    expect(await codeOfAsync(() => acceptDefinition(definition('default')))).toBe('FF10430');
    const message = { data: [{ value: textOf(1) }], idempotencyKey: 'k' };
    expect(await codeOfAsync(() => acceptMessage('default', message))).toBe('FF10430');
    await acceptMessage('other', message);
    expect(await codeOfAsync(() => acceptDefinition(definition('other')))).toBe('FF10430');
    await acceptDefinition(definition('third'));
  });
});
