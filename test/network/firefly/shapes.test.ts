import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deployEcho, letSay } from '../../support/echo-contract.js';
import { eventually } from '../../support/eventually.js';
import { stockClient } from '../../support/stock-client.js';
import { startTokenNetwork, type TokenNetwork } from '../../support/token-network.js';

/** Members of records that stock clients read, in FireFly's form. */

let network: TokenNetwork;
let alice: ReturnType<typeof stockClient>;
beforeAll(async () => {
  network = await startTokenNetwork({ connectors: 1 });
  alice = stockClient(network.alice.url);
});
afterAll(async () => {
  expect(network.parties.flatMap(({ fatal }) => fatal)).toEqual([]);
  await network.stop();
});

const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const digits = expect.stringMatching(/^\d+$/);
const hash = expect.stringMatching(/^0x[0-9a-f]{64}$/);
const address = expect.stringMatching(/^0x[0-9a-f]{40}$/);

describe('status', () => {
  test('shows the time of the namespace’s creation, the connectors, and the contract’s subscription', async () => {
    expect((await alice.get('status')).body).toMatchObject({
      namespace: { name: 'default', created: expect.stringMatching(/Z$/) },
      plugins: { tokens: [{ name: 'erc1155', pluginType: 'fftokens' }] },
      multiparty: { contract: { active: { info: { subscription: expect.any(String), version: 2 } } } },
    });
    expect((await alice.get('status/multiparty')).body).toMatchObject({
      contracts: { active: { info: { version: 2 } } },
    });
  });
});

describe('events and calls of contracts', () => {
  test('has its place on the chain as texts, and hashes that begin with 0x; filters accept both forms', async () => {
    const echo = await deployEcho(network.alice);
    const schema = { type: 'integer', details: { type: 'uint256' } };
    const event = { name: 'Said', params: [{ name: 'word', schema }] };
    const listening = { topic: 'shapes', name: 'shapes', event, location: { address: echo } };
    const { body: listener } = await alice.post('contracts/listeners', listening);
    const operation = await letSay(network.alice, echo, 5);
    const [heard] = await alice.list(`blockchainevents?listener=${String(listener['id'])}`, 1);
    expect(heard).toMatchObject({
      output: { word: '5' },
      info: {
        address: echo,
        blockHash: hash,
        blockNumber: digits,
        chainId: '31337',
        listenerId: listener['backendId'],
        logIndex: digits,
        signature: 'Said(uint256)',
        subId: listener['backendId'],
        timestamp: heard?.['timestamp'],
        transactionHash: hash,
        transactionIndex: digits,
      },
      tx: { type: 'contract_invoke', id: operation.tx, blockchainId: hash },
    });
    const blockchainId = String(Reflect.get(Object(heard?.['tx']), 'blockchainId'));
    for (const form of [blockchainId, blockchainId.slice(2), blockchainId.toUpperCase().replace('0X', '0x')]) {
      expect(await alice.list(`blockchainevents?tx.blockchainid=${form}&limit=5`)).toHaveLength(1);
      expect(await alice.list(`transactions?blockchainids=${form}`)).toMatchObject([
        { id: operation.tx, blockchainIds: [blockchainId] },
      ]);
    }
    expect((await alice.get(`operations/${operation.id}?fetchstatus=true`)).body).toMatchObject({
      output: {
        headers: { requestId: `default:${operation.id}`, type: 'TransactionSuccess' },
        transactionHash: blockchainId,
        blockNumber: digits,
        transactionIndex: digits,
        protocolId: expect.stringMatching(/^\d{12}\/\d{6}$/),
      },
      detail: { receipt: { transactionHash: blockchainId } },
    });
  });

  test('in the operation of a pin includes the pinned batch', async () => {
    const { body: message } = await alice.post('messages/broadcast?confirm=true', { data: [{ value: 1 }] });
    const [pin] = await alice.list(`operations?type=blockchain_pin_batch&tx=${String(message['txid'])}`, 1);
    const { body } = await alice.get(`operations/${String(pin?.['id'])}`);
    expect(body).toMatchObject({ input: { batch: message['batch'], contexts: message['pins'] } });
    await eventually(async () =>
      expect((await alice.get(`operations/${String(pin?.['id'])}`)).body).toMatchObject({
        output: { headers: { type: 'TransactionSuccess' }, protocolId: expect.any(String), transactionHash: hash },
      }),
    );
  });
});

describe('the members of an interface', () => {
  test('have an id, and name the interface and its namespace', async () => {
    const method = { name: 'set', params: [], returns: [] };
    const event = { name: 'Changed', params: [] };
    const ffi = {
      name: 'members',
      version: '1',
      methods: [method],
      events: [event],
      errors: [{ name: 'Bad', params: [] }],
    };
    const { body: made } = await alice.post('contracts/interfaces?publish=true&confirm=true', ffi);
    const member = { id: uuid, interface: made['id'], namespace: 'default' };
    const members = { methods: [member], events: [member], errors: [member] };
    const { body } = await alice.get(`contracts/interfaces/${String(made['id'])}?fetchchildren=true`);
    expect(body).toMatchObject(members);
    const bob = stockClient(network.bob.url);
    const theirs = await eventually(async () => {
      const answer = await bob.get('contracts/interfaces/members/1?fetchchildren=true');
      expect(answer.status).toBe(200);
      return answer.body;
    });
    expect(theirs['methods']).toEqual(body['methods']);
  });
});

describe('a published record', () => {
  test.each([
    ['contracts/interfaces', { name: 'public', version: '1' }],
    ['apis', { name: 'public', interface: { name: 'public', version: '1' } }],
    ['tokens/pools', { name: 'public', type: 'fungible' }],
  ])('says so in the 202 of %s', async (path, request) => {
    await eventually(async () => {
      const { status, body } = await alice.post(`${path}?publish=true`, request);
      expect({ status, body }).toMatchObject({ status: 202, body: { published: true } });
    });
  });
});

describe('a mint', () => {
  test('names in its 202 the identity that mints', async () => {
    await alice.post('tokens/pools?confirm=true', { name: 'coins', type: 'fungible' });
    const { status, body } = await alice.post('tokens/mint', { pool: 'coins', amount: '1' });
    expect({ status, body }).toMatchObject({ status: 202, body: { from: network.alice.key, key: address } });
  });
});

describe('a group', () => {
  test('names the message that it came with, and is found by it', async () => {
    const members = [{ identity: 'bob' }];
    const { body: first } = await alice.post('messages/private?confirm=true', {
      group: { members },
      data: [{ value: 1 }],
    });
    await alice.post('messages/private?confirm=true', { group: { members }, data: [{ value: 2 }] });
    const { id, group } = Object(first['header']);
    for (const { url } of [network.alice, network.bob]) {
      const client = stockClient(url);
      expect(await client.list(`groups?message=${id}`, 1)).toMatchObject([{ hash: group, message: id }]);
      expect((await client.get(`groups/${group}`)).body).toMatchObject({ message: id });
    }
  });
});

describe('a subscription', () => {
  const empty = { message: {}, transaction: {}, blockchainevent: {} };

  test('shows its start as a number, next to the requested value, and all kinds of filters', async () => {
    const [newest] = await alice.list('events?limit=1', 1);
    const asked = {
      transport: 'websockets',
      name: 'simple-storage',
      filter: { events: 'blockchain_event_received', blockchainevent: { listener: 'x' } },
      options: { firstEvent: 'oldest' },
    };
    const { status, body } = await alice.post('subscriptions', asked);
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        filter: { ...empty, ...asked.filter },
        options: { firstEvent: '-1', firstEventGiven: 'oldest', withData: false },
      },
    });
    // The newest event may have changed since it was read.
    const { body: second } = await alice.post('subscriptions', { transport: 'websockets', name: 'app1' });
    expect(second).toMatchObject({ filter: empty, options: { firstEvent: digits, firstEventGiven: 'newest' } });
    const { firstEvent } = Object(second['options']);
    expect(Number(firstEvent)).toBeGreaterThanOrEqual(Number(newest?.['sequence']));
    expect(await alice.list('subscriptions?name=app1')).toMatchObject([{ options: { firstEvent } }]);
  });

  test('may be sent back as it was read', async () => {
    const { body } = await alice.post('subscriptions', { transport: 'websockets', name: 'returned' });
    const { name, transport, filter, options } = body;
    const answer = await alice.ask('PUT', 'subscriptions', { name, transport, filter, options });
    expect(answer).toMatchObject({
      status: 200,
      body: { filter, options: { firstEvent: Object(options).firstEvent } },
    });
  });
});

describe('an upload', () => {
  test('has the path of its file', async () => {
    const form = new FormData();
    form.set('file', new Blob(['x']), 'hello.txt');
    const response = await fetch(`${network.alice.url}/api/v1/namespaces/default/data`, { method: 'POST', body: form });
    expect(await response.json()).toMatchObject({ blob: { path: '/', size: 1 } });
  });
});
