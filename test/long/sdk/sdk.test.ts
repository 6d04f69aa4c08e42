import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { FireFlyMessageResponse } from '@hyperledger/firefly-sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createFireFly,
  type FireFly,
  FireFlyError,
  FireFlyIdempotencyError,
  methodsOfSdk,
  noting,
} from '../../e2e/fixtures/sdk.js';
import { failedOperation, tokenMethods } from '../../e2e/fixtures/sdk-scenes.js';
import { createThreeParties } from '../../e2e/fixtures/three-parties.js';

/**
 * FireFly's own SDK for Node, unmodified, against a running stack: every method is called, and its result is checked
 * for what an application relies on. `listen`, tokens and contracts have separate files.
 */

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const hash = /^[0-9a-f]{64}$/;
const nobody = '00000000-0000-4000-8000-000000000000';

const stack = createThreeParties();
const called = new Set<string>();
const fireFlyOf = (party: string) => noting(createFireFly(stack.addressOf('/', party).slice(0, -1)), called);
let alice: FireFly;
let bob: FireFly;
let carol: FireFly;
beforeAll(async () => {
  process.env['FF_SDK_LOG_LEVEL'] = 'NONE';
  await stack.start();
  [alice, bob, carol] = [fireFlyOf('alice'), fireFlyOf('bob'), fireFlyOf('carol')];
});
afterAll(stack.remove);

describe('The network', () => {
  test('getStatus names the node and its organisation', async () => {
    expect(await alice.getStatus()).toMatchObject({
      namespace: { name: 'default' },
      node: { registered: true, id: expect.stringMatching(uuid) },
      org: { name: 'alice', registered: true, did: 'did:parley:org/alice', id: expect.stringMatching(uuid) },
      multiparty: { enabled: true },
      plugins: { blockchain: [{ pluginType: 'ethereum' }] },
    });
  });

  test('getNamespaces lists them, getNamespace returns one, and none if it does not exist', async () => {
    const namespaces = await alice.getNamespaces();
    expect(namespaces).toContainEqual(expect.objectContaining({ name: 'default', networkName: 'default' }));
    expect(await alice.getNamespace('default')).toMatchObject({
      name: 'default',
      created: expect.stringMatching(time),
    });
    expect(await alice.getNamespace('nowhere')).toBeUndefined();
  });

  test('getOrganizations and getNodes list the members, getOrganization and getNode return one', async () => {
    const names = (await alice.getOrganizations()).map(({ name }) => name);
    expect(names.sort()).toEqual(['alice', 'bob', 'carol']);
    expect(await alice.getOrganizations({ name: 'bob' })).toHaveLength(1);
    const organization = await alice.getOrganization('bob');
    expect(organization).toMatchObject({ did: 'did:parley:org/bob', type: 'org', id: expect.stringMatching(uuid) });
    const nodes = await alice.getNodes();
    expect(nodes).toHaveLength(3);
    expect(await alice.getNode(nodes[0]?.name ?? '')).toEqual(nodes[0]);
    expect(await alice.getOrganization('mallory')).toBeUndefined();
    expect(await alice.getNode('mallory')).toBeUndefined();
  });

  test('getIdentities finds, getIdentity gets, and both return the same record at every party', async () => {
    const [found] = await alice.getIdentities({ did: 'did:parley:org/carol' });
    expect(await carol.getIdentity(found?.id ?? '')).toEqual(found);
    expect(await alice.getIdentity(nobody)).toBeUndefined();
  });

  test('createIdentity registers a custom identity, updateIdentity describes it, for all parties', async () => {
    const desk = await alice.createIdentity({ name: 'desk', description: 'the desk' }, { confirm: true });
    expect(desk).toMatchObject({ did: 'did:parley:desk', type: 'custom', parent: expect.stringMatching(uuid) });
    await alice.updateIdentity(desk.id, { description: 'the trading desk', profile: { floor: 3 } });
    const described = { id: desk.id, description: 'the trading desk', profile: { floor: 3 } };
    await expect.poll(() => bob.getIdentity(desk.id)).toMatchObject(described);
  });

  test('getVerifiers lists the keys of a named or its own namespace, and resolveVerifier finds one', async () => {
    const organization = await alice.getOrganization('bob');
    const [key] = await alice.getVerifiers('default', { identity: organization?.id ?? '' });
    expect(key).toMatchObject({ type: 'ethereum_address', hash: expect.stringMatching(hash), namespace: 'default' });
    expect(await alice.getVerifiers(undefined, { value: key?.value ?? '' })).toEqual([key]);
    const resolved = await alice.resolveVerifier({ type: 'ethereum_address', value: key?.value ?? '' });
    expect(resolved).toMatchObject({ identity: organization?.id, type: 'ethereum_address', value: key?.value });
  });
});

describe('Datatypes and data', () => {
  test('createDatatype defines one for all parties; getDatatypes and getDatatype return it', async () => {
    const value = { type: 'object', required: ['order'], properties: { order: { type: 'integer' } } };
    const request = { name: 'order', version: '1.0', validator: 'json', value } as const;
    const datatype = await alice.createDatatype(request, { confirm: true });
    expect(datatype).toMatchObject({ id: expect.stringMatching(uuid), name: 'order', version: '1.0', value });
    await expect.poll(() => bob.getDatatype('order', '1.0')).toMatchObject({ id: datatype.id, value });
    expect(await bob.getDatatypes({ name: 'order' })).toHaveLength(1);
    expect(await bob.getDatatype('order', '2.0')).toBeUndefined();
  });

  test('uploadData stores a value, findData and getData return it, publishData and deleteData work', async () => {
    const item = await alice.uploadData({ value: { order: 17 }, datatype: { name: 'order', version: '1.0' } });
    expect(item).toMatchObject({ value: { order: 17 }, validator: 'json', hash: sha256('{"order":17}') });
    expect(await alice.getData(item.id)).toEqual(item);
    expect(await alice.findData({ hash: item.hash })).toEqual([item]);
    expect(await alice.publishData(item.id)).toMatchObject({ id: item.id, public: expect.stringMatching(/^Qm/) });
    await alice.deleteData(item.id);
    expect(await alice.getData(item.id)).toBeUndefined();
  });

  test('uploadDataBlob stores a file, getDataBlob streams it, publishDataBlob publishes it', async () => {
    const item = await alice.uploadDataBlob(Buffer.from('hello parley\n'), { filename: 'hello.txt' });
    expect(item).toMatchObject({
      value: { filename: 'hello.txt', size: 13 },
      blob: { name: 'hello.txt', size: 13, hash: sha256('hello parley\n') },
    });
    expect(await text(await alice.getDataBlob(item.id))).toBe('hello parley\n');
    const published = await alice.publishDataBlob(item.id);
    expect(published).toMatchObject({ id: item.id, blob: { public: expect.stringMatching(/^Qm/) } });
  });

  test("uploadDataBlob takes a given value instead of the file's metadata", async () => {
    const what = { autometa: 'false', metadata: '{"order":1}', validator: 'json' };
    const item = await alice.uploadDataBlob(Buffer.from('1'), { filename: 'one' }, what);
    expect(item).toMatchObject({ value: { order: 1 }, blob: { size: 1 } });
  });
});

describe('Messages', () => {
  test('sendBroadcast answers with confirm or without it, and getMessage returns the message everywhere', async () => {
    const request = { header: { tag: 'news', topics: ['orders', 'lists'] }, data: [{ value: { order: 18 } }] };
    const sure = await alice.sendBroadcast(request, { confirm: true });
    expect(sure).toMatchObject({ state: 'confirmed', header: { tag: 'news', type: 'broadcast' } });
    const pending = await alice.sendBroadcast(request, { confirm: false });
    expect(idOf(pending)).toMatch(uuid);
    await expect.poll(() => carol.getMessage(idOf(pending))).toMatchObject({ state: 'confirmed' });
    expect(await bob.getMessage(nobody)).toBeUndefined();
  });

  test('getMessages filters as the SDK writes it, including arrays and sorting', async () => {
    const filter = { tag: 'news', topics: 'lists', sort: 'sequence', limit: '1', fetchdata: 'true' };
    const [first, ...more] = await alice.getMessages(filter);
    expect(more).toEqual([]);
    expect(first).toMatchObject({ header: { tag: 'news' }, data: [{ value: { order: 18 } }] });
  });

  test('a repeated idempotency key is the error that applications catch', async () => {
    const request = { idempotencyKey: 'only-once', data: [{ value: 1 }] };
    await alice.sendBroadcast(request);
    const again = await alice.sendBroadcast(request).catch((error: unknown) => error);
    expect(again).toBeInstanceOf(FireFlyIdempotencyError);
    expect(again).toMatchObject({ message: expect.stringMatching(/^FF10430: /) });
  });

  test('an error has the message of the node, for the caller and for the listener of onError', async () => {
    const heard: unknown[] = [];
    const fireFly = fireFlyOf('alice');
    fireFly.onError((error: unknown) => void heard.push(error));
    const error = await fireFly.sendBroadcast({ data: [] }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(FireFlyError);
    expect(error).toMatchObject({ message: expect.stringMatching(/^PY1101: /) });
    expect(heard).toEqual([error]);
  });

  test('sendPrivateMessage reaches its group, and getGroup returns the group only there', async () => {
    const group = { members: [{ identity: 'bob' }] };
    const message = await alice.sendPrivateMessage({ group, data: [{ value: 'for bob' }] }, { confirm: true });
    expect(message).toMatchObject({ state: 'confirmed', header: { type: 'private' } });
    await expect.poll(() => bob.getMessage(idOf(message))).toMatchObject({ state: 'confirmed' });
    const members = ['did:parley:org/alice', 'did:parley:org/bob'];
    expect((await bob.getGroup(groupOf(message)))?.members?.map(({ identity }) => identity)).toEqual(members);
    expect(await carol.getGroup(groupOf(message))).toBeUndefined();
    expect(await carol.getMessage(idOf(message))).toBeUndefined();
  });

  test('sendPrivateMessage with requestReply returns the reply of the other party', async () => {
    const answering = bob.listen({ filter: { events: 'message_confirmed' } }, async (_socket, { message }) => {
      if (message?.header?.tag !== 'question') return;
      const { id = '', group = '' } = message.header;
      await bob.sendPrivateMessage({ header: { cid: id, group }, data: [{ value: 42 }] });
    });
    try {
      const request = { header: { tag: 'question' }, group: { members: [{ identity: 'bob' }] } };
      await stack.subscribed('bob', 1);
      const reply = await alice.sendPrivateMessage({ ...request, data: [{ value: '6 × 7' }] }, { requestReply: true });
      expect(reply).toMatchObject({ header: { author: 'did:parley:org/bob' }, data: [{ value: 42 }] });
    } finally {
      answering.close();
    }
  });
});

describe('Behind the messages', () => {
  test('getBatches lists the batch of a message, getTransactions and getTransaction its transaction', async () => {
    const { batch } = await alice.sendBroadcast({ data: [{ value: 'batched' }] }, { confirm: true });
    const [record] = await alice.getBatches({ id: batch });
    expect(record).toMatchObject({ id: batch, type: 'broadcast', tx: { type: 'batch_pin' } });
    const transaction = await alice.getTransaction(record?.tx.id ?? '');
    expect(transaction).toMatchObject({ id: record?.tx.id, type: 'batch_pin' });
    expect(await alice.getTransactions({ id: record?.tx.id ?? '' })).toEqual([transaction]);
    expect(await alice.getTransaction(nobody)).toBeUndefined();
  });

  test('getOperations lists the operations of a transaction, and getOperation returns each', async () => {
    const [batch] = await alice.getBatches({ type: 'broadcast', limit: '1' });
    const operations = await alice.getOperations({ tx: batch?.tx.id ?? '' });
    const types = operations.map(({ type }) => type).sort();
    expect(types).toEqual(['blockchain_pin_batch', 'sharedstorage_upload_batch']);
    const messages = await alice.getMessages({ batch: batch?.id ?? '', sort: 'sequence', limit: '1000' });
    const contexts = messages.flatMap(({ pins }) => pins ?? []);
    expect(contexts).not.toEqual([]);
    for (const operation of operations) {
      // A pin has its contexts, too: those of the messages of its batch.
      const isPin = operation.type === 'blockchain_pin_batch';
      const input = isPin ? { ...operation.input, contexts } : operation.input;
      expect(await alice.getOperation(operation.id)).toEqual({ ...operation, input });
    }
    expect(await alice.getOperation(nobody)).toBeUndefined();
  });

  test('retryOperation restarts a failed operation, and refuses one that has not failed', async () => {
    const failed = await failedOperation([alice, bob]);
    const retried = await failed.by.retryOperation(failed.id);
    expect(retried).toMatchObject({ type: 'blockchain_register_identity', id: expect.stringMatching(uuid) });
    expect(retried.id).not.toBe(failed.id);
    const [done] = await alice.getOperations({ status: 'Succeeded', limit: '1' });
    await expect(alice.retryOperation(done?.id ?? '')).rejects.toThrow(/^PY1301: /);
  });
});

describe('Subscriptions', () => {
  const filter = { events: 'message_confirmed', message: { tag: '^orders$' } };

  test('replaceSubscription creates a subscription, and replaces it by its name', async () => {
    const options = { firstEvent: 'oldest', readAhead: 10 };
    const created = await alice.replaceSubscription({ name: 'app1', transport: 'websockets', filter, options });
    expect(created).toMatchObject({
      name: 'app1',
      namespace: 'default',
      ephemeral: false,
      updated: null,
      filter: { ...filter, transaction: {}, blockchainevent: {} },
      options: { ...options, firstEvent: '-1' },
    });
    const replaced = await alice.replaceSubscription({ name: 'app1', filter: { events: 'message_rejected' } });
    expect(replaced).toMatchObject({
      id: created.id,
      created: created.created,
      filter: { events: 'message_rejected' },
    });
    expect(replaced.updated).toMatch(time);
  });

  test('getSubscriptions lists what replaceSubscription has created, deleteSubscription deletes it', async () => {
    const { id } = await alice.replaceSubscription({ name: 'app2', transport: 'websockets' });
    expect(await alice.getSubscriptions({ name: 'app2' })).toMatchObject([
      { id, name: 'app2', transport: 'websockets' },
    ]);
    await alice.deleteSubscription(id);
    expect(await alice.getSubscriptions({ name: 'app2' })).toEqual([]);
    await expect(alice.deleteSubscription(id)).rejects.toThrow(/^FF10109: /);
  });

  test('an invalid expression is refused with a message, an unknown filter is ignored', async () => {
    const request = { name: 'app3', transport: 'websockets' };
    await expect(alice.replaceSubscription({ ...request, filter: { events: '(' } })).rejects.toThrow(/^FF10171: /);
    const misspelt: object = { topix: 'a', events: '^b$' };
    const created = await alice.replaceSubscription({ ...request, filter: misspelt });
    expect(created.filter).toEqual({ events: '^b$', message: {}, transaction: {}, blockchainevent: {} });
  });
});

test('every method of the SDK is called above, or is about tokens and contracts', () => {
  const methods = methodsOfSdk();
  expect([...methods.filter((name) => called.has(name)), ...tokenMethods].sort()).toEqual(methods);
});

function idOf({ header }: FireFlyMessageResponse): string {
  return header.id ?? '';
}

function groupOf({ header }: FireFlyMessageResponse): string {
  return header.group ?? '';
}

function sha256(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}
