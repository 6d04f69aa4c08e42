import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../../support/eventually.js';
import { WebSocket } from 'ws';
import { createMemoryFiles } from '../../../../src/adapters/files/memory.js';
import { alice, serve, type Served, transfer } from '../support.js';

let served: Served;
let client: Client;

interface Client {
  readonly socket: WebSocket;
  /** Every received message that is not an answer. */
  readonly notified: { subscription: string; result: unknown }[];
  call(method: string, ...params: unknown[]): Promise<{ result?: unknown; error?: { code: number } }>;
}

async function connect(): Promise<Client> {
  const socket = new WebSocket(`ws://127.0.0.1:${served.port}`);
  const notified: Client['notified'] = [];
  const waiting = new Map<number, (answer: { result?: unknown }) => void>();
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as {
      id?: number;
      result?: unknown;
      params?: Client['notified'][number];
    };
    if (message.params !== undefined) notified.push(message.params);
    else waiting.get(message.id ?? -1)?.(message);
  });
  await once(socket, 'open');
  let lastId = 0;
  return {
    socket,
    notified,
    call: (method, ...params) =>
      new Promise((resolve) => {
        lastId += 1;
        waiting.set(lastId, resolve);
        socket.send(JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params }));
      }),
  };
}

/** A contract whose every call logs one topic, the first word of the call's data. */
const logger = '0x60058060095f395ff35f355f5fa1';

beforeEach(async () => {
  served = await serve();
  client = await connect();
});
afterEach(() => served.stop());

test('new heads are sent one by one in order, without the block itself', async () => {
  const { result } = await client.call('eth_subscribe', 'newHeads');
  await served.call('hardhat_mine', 3);
  await eventually(() => expect(client.notified).toHaveLength(3));
  expect(client.notified.map(({ subscription }) => subscription)).toEqual([result, result, result]);
  expect(client.notified.map((each) => (each.result as { number: string }).number)).toEqual(['0x1', '0x2', '0x3']);
  const block = (await served.call('eth_getBlockByNumber', '0x3', false)) as { hash: string; stateRoot: string };
  expect(client.notified[2]?.result).toMatchObject({ hash: block.hash, stateRoot: block.stateRoot });
  expect(client.notified[2]?.result).not.toHaveProperty('transactions');
});

test('a transaction is announced once it is on disk', async () => {
  await client.call('eth_subscribe', 'newPendingTransactions');
  const hash = await served.call('eth_sendRawTransaction', await transfer(alice, 0));
  await eventually(() => expect(client.notified.map(({ result }) => result)).toEqual([hash]));
});

test('logs are sent in the form of eth_getLogs, to subscribers of their address and topics', async () => {
  await served.call(
    'eth_sendRawTransaction',
    await transfer(alice, 0, { to: null, data: logger, gasLimit: 1_000_000n }),
  );
  const block = (await served.call('eth_getBlockByNumber', '0x1', false)) as { transactions: string[] };
  const receipt = (await served.call('eth_getTransactionReceipt', block.transactions[0])) as {
    contractAddress: string;
  };
  const address = receipt.contractAddress;
  const [one, two] = [`0x${'01'.repeat(32)}`, `0x${'02'.repeat(32)}`];
  const filters = {
    everything: {},
    ofAddress: { address: address.toUpperCase().replace('X', 'x') },
    ofOther: { address: [alice.address] },
    ofOne: { address, topics: [one] },
    ofEither: { topics: [[one, two]] },
    ofAnyFirst: { topics: [null] },
    ofSecond: { topics: [null, one] },
  };
  const ids = new Map<unknown, string>();
  for (const [name, filter] of Object.entries(filters)) {
    ids.set((await client.call('eth_subscribe', 'logs', filter)).result, name);
  }
  await served.call(
    'eth_sendRawTransaction',
    await transfer(alice, 1, { to: address, data: one, gasLimit: 1_000_000n }),
  );
  await served.call(
    'eth_sendRawTransaction',
    await transfer(alice, 2, { to: address, data: two, gasLimit: 1_000_000n }),
  );
  await eventually(() => expect(client.notified).toHaveLength(9));
  const logs = (await served.call('eth_getLogs', { fromBlock: '0x0' })) as unknown[];
  expect(logs).toHaveLength(2);
  const [first, second] = logs;
  const of = (name: string): unknown[] =>
    client.notified.filter(({ subscription }) => ids.get(subscription) === name).map(({ result }) => result);
  expect(Object.fromEntries(Object.keys(filters).map((name) => [name, of(name)]))).toEqual({
    everything: [first, second],
    ofAddress: [first, second],
    ofOther: [],
    ofOne: [first],
    ofEither: [first, second],
    ofAnyFirst: [first, second],
    ofSecond: [],
  });
});

test('after unsubscribing nothing is sent, and no connection can end a subscription of another', async () => {
  const { result: id } = await client.call('eth_subscribe', 'newHeads');
  const other = await connect();
  expect((await other.call('eth_unsubscribe', id)).result).toBe(false);
  await served.call('evm_mine');
  await eventually(() => expect(client.notified).toHaveLength(1));
  expect((await client.call('eth_unsubscribe', id)).result).toBe(true);
  expect((await client.call('eth_unsubscribe', id)).result).toBe(false);
  await served.call('evm_mine');
  // Notifications of a turn precede the answers to later calls.
  await client.call('eth_blockNumber');
  expect(client.notified).toHaveLength(1);
});

test.each([
  [['syncing'], -32602],
  [[], -32602],
  [['logs', 5], -32602],
  [['logs', { address: 'alice' }], -32602],
  [['logs', { topics: 'x' }], -32602],
  [['logs', { topics: [null, null, null, null, null] }], -32602],
])('a subscription to %j is refused', async (params, code) => {
  expect((await client.call('eth_subscribe', ...params)).error?.code).toBe(code);
});

test('a connection may have 200 subscriptions', async () => {
  for (let count = 0; count < 200; count += 1) {
    expect((await client.call('eth_subscribe', 'newHeads')).error).toBeUndefined();
  }
  expect((await client.call('eth_subscribe', 'newHeads')).error?.code).toBe(-32005);
});

test('a frame above 2 MiB closes only its own socket', async () => {
  const other = await connect();
  other.socket.send(`"${'x'.repeat(2 * 1_024 * 1_024)}"`);
  expect(await once(other.socket, 'close')).toMatchObject([1009, expect.anything()]);
  expect((await client.call('eth_chainId')).result).toBe('0x7a69');
});

test('a stop closes sockets with 1001', async () => {
  const closed = once(client.socket, 'close');
  await served.stop();
  expect(await closed).toMatchObject([1001, expect.anything()]);
  served = await serve({ files: createMemoryFiles() });
});
