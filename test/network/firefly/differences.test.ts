import { afterAll, beforeAll, expect, test } from 'vitest';
import { stockClient } from '../../support/stock-client.js';
import { startTokenNetwork, type TokenNetwork } from '../../support/token-network.js';

/** Requests of stock clients whose answers differ from FireFly's in every profile (docs/firefly.md). */

let network: TokenNetwork;
let alice: ReturnType<typeof stockClient>;
let bob: ReturnType<typeof stockClient>;
beforeAll(async () => {
  network = await startTokenNetwork({ connectors: 1 });
  [alice, bob] = [stockClient(network.alice.url), stockClient(network.bob.url)];
  await alice.post('tokens/pools?confirm=true', { name: 'coins', type: 'fungible' });
}, 60_000);
afterAll(async () => {
  expect(network.parties.flatMap(({ fatal }) => fatal)).toEqual([]);
  await network.stop();
});

function refusal(code: string) {
  return { error: expect.stringMatching(new RegExp(`^${code}: `)) as string };
}

test('an unknown sort field is refused, even if other unknown parameters are ignored', async () => {
  expect(await alice.get('messages?sort=colour&colour=red')).toMatchObject({ status: 400, body: refusal('FF00142') });
  for (const path of [
    'messages?sort=topics',
    'messages?sort=pins',
    'transactions?sort=blockchainids',
    'events?sort=topic',
    'operations?sort=input',
    'operations?sort=output',
    'batches?sort=tx.type',
  ]) {
    expect(await alice.get(path), path).toMatchObject({ status: 400, body: refusal('FF00142') });
  }
});

test('a body of text/plain is refused, since a page of another origin can send it', async () => {
  const path = `${network.alice.url}/api/v1/namespaces/default/messages/broadcast`;
  const body = '{"data":[{"value":1}]}';
  const response = await fetch(path, { method: 'POST', headers: { 'content-type': 'text/plain' }, body });
  expect([response.status, await response.json()]).toEqual([415, refusal('FF00162')]);
});

test('an operation that has succeeded is not retried', async () => {
  const { body: mint } = await alice.post('tokens/mint?confirm=true', { pool: 'coins', amount: '10' });
  const tx = String(Object(mint['tx']).id);
  const [operation] = await alice.list(`operations?tx=${tx}&type=token_transfer&status=Succeeded`, 1);
  const path = `operations/${String(operation?.['id'])}/retry`;
  expect(await alice.post(path)).toMatchObject({ status: 409, body: refusal('PY1301') });
  expect(await alice.list('tokens/balances?pool=coins')).toMatchObject([{ balance: '10' }]);
});

test('a broadcast requires data, a private message does not', async () => {
  expect(await alice.post('messages/broadcast', { header: { tag: 'ping' }, data: [] })).toMatchObject({
    status: 400,
    body: refusal('PY1101'),
  });
  const group = { members: [{ identity: 'bob' }] };
  expect(await alice.post('messages/private?confirm=true', { group, data: [] })).toMatchObject({ status: 200 });
});

test('a message without a pin is confirmed at once, without a batch', async () => {
  const body = { header: { txtype: 'unpinned' }, group: { members: [{ identity: 'bob' }] }, data: [{ value: 1 }] };
  const { status, body: sent } = await alice.post('messages/private', body);
  expect({ status, sent }).toMatchObject({ status: 202, sent: { state: 'confirmed', header: { txtype: 'none' } } });
  expect(sent['batch'] ?? null).toBeNull();
  const id = String(Object(sent['header']).id);
  expect(await bob.list(`messages?id=${id}`, 1)).toMatchObject([{ state: 'confirmed', header: { txtype: 'none' } }]);
});

test('a message of several topics has one event, and each of its pins is a hash', async () => {
  const body = { header: { topics: ['b', 'a'] }, group: { members: [{ identity: 'bob' }] }, data: [{ value: 1 }] };
  const { body: sent } = await alice.post('messages/private?confirm=true', body);
  const hash = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
  expect(sent['pins']).toEqual([hash, hash]);
  const id = String(Object(sent['header']).id);
  for (const party of [alice, bob])
    expect(await party.list(`events?reference=${id}`, 1)).toMatchObject([{ topic: 'b' }]);
});

test('the signature of a listener is that of its events, without addresses', async () => {
  const schema = { type: 'string', details: { type: 'address', indexed: true } };
  const event = { name: 'Moved', params: [{ name: 'to', schema }] };
  const listener = { topic: 'moves', filters: [{ event, location: { address: `0x${'ab'.repeat(20)}` } }] };
  const signature = 'Moved(address)';
  const { body } = await alice.post('contracts/listeners', listener);
  expect(body).toMatchObject({ signature, filters: [{ signature }] });
  expect((await alice.post('contracts/listeners/signature', listener)).body).toEqual({ signature });
});

test('a pool is published at its creation unless publish=false is given', async () => {
  const pool = { name: 'unasked', type: 'fungible' };
  expect((await alice.post('tokens/pools?confirm=true', pool)).body).toMatchObject({ published: true });
  expect(await bob.list('tokens/pools?name=unasked', 1)).toMatchObject([{ published: true }]);
  const local = { name: 'local', type: 'fungible' };
  expect((await alice.post('tokens/pools?confirm=true&publish=false', local)).body).toMatchObject({ published: false });
  expect(await bob.list('tokens/pools?name=local')).toEqual([]);
});

test('a transfer has the time of its block, in whole seconds, the same at every party', async () => {
  const { body } = await alice.post('tokens/mint?confirm=true', { pool: 'coins', amount: '1' });
  const at = await Promise.all(
    [alice, bob].map(async (party) => {
      const [transfer] = await party.list(`tokens/transfers?tx.id=${String(Object(body['tx']).id)}`, 1);
      return transfer?.['created'];
    }),
  );
  expect(at).toEqual([body['created'], body['created']]);
  expect(at[0]).toMatch(/:\d\d(\.0+)?Z$/);
});

test('an organisation names no message of its claim, since the chain registers it', async () => {
  for (const party of [alice, bob]) {
    expect(await party.list('network/organizations?name=alice', 1)).toMatchObject([
      { messages: { claim: null, verification: null, update: null } },
    ]);
  }
});

test('a pin in a list has no contexts, and the same pin alone has them', async () => {
  const { body: message } = await alice.post('messages/broadcast?confirm=true', { data: [{ value: 1 }] });
  const [pin] = await alice.list(`operations?type=blockchain_pin_batch&tx=${String(message['txid'])}`, 1);
  expect(pin?.['input']).not.toHaveProperty('contexts');
  expect((await alice.get(`operations/${String(pin?.['id'])}`)).body).toMatchObject({
    input: { contexts: message['pins'] },
  });
});

test('a list of pins has those of the whole network, and names the namespace of its own', async () => {
  const { body: message } = await alice.post('messages/broadcast?confirm=true', { data: [{ value: 1 }] });
  const batch = String(message['batch']);
  expect(await alice.list(`pins?batch=${batch}`)).toMatchObject([{ batch, namespace: 'default' }]);
  const [elsewhere] = await alice.list(`/api/v1/namespaces/svc_system/pins?batch=${batch}`, 1);
  expect(elsewhere).not.toHaveProperty('namespace');
});

test('a message that a contract should pin for its caller is refused', async () => {
  const method = { name: 'pinned', params: [], returns: [] };
  const message = { header: { txtype: 'contract_invoke_pin' }, data: [{ value: 1 }] };
  const call = { location: { address: `0x${'ab'.repeat(20)}` }, method, input: {}, message };
  expect(await alice.post('contracts/invoke', call)).toMatchObject({ status: 400, body: refusal('FF00130') });
});

test('the paths for services next to a node do not exist unless they are enabled', async () => {
  expect(await alice.get('/spi/v1/namespaces')).toMatchObject({ status: 404, body: refusal('FF10109') });
});
