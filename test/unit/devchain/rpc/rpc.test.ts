import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { aConfig, alice, bob, codeOf, serve, type Served, transfer } from '../support.js';

let served: Served;

beforeAll(async () => {
  served = await serve({ config: aConfig({ origins: ['http://app.example:5173'] }) });
});
afterAll(() => served.stop());

interface Answer {
  status: number;
  body: string;
}

/** Makes one raw HTTP exchange, with headers that fetch does not allow. */
function exchange(method: string, headers: Record<string, string>, body = '', path = '/'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ port: served.port, host: '127.0.0.1', method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
    });
    request.on('error', reject);
    request.end(body);
  });
}

const json = { 'Content-Type': 'application/json' };
const blockNumber = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber' });

test('a call is answered with its id, of whatever type', async () => {
  for (const id of [7, 'seven', null, 1.5]) {
    expect(await served.post(JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_chainId', params: [] }))).toEqual({
      jsonrpc: '2.0',
      id,
      result: '0x7a69',
    });
  }
});

test('a batch is answered call by call, without its notifications', async () => {
  const calls = [
    { jsonrpc: '2.0', id: 1, method: 'net_version' },
    { jsonrpc: '2.0', method: 'net_version' },
    { jsonrpc: '2.0', id: 2, method: 'no_such' },
    5,
  ];
  expect(await served.post(JSON.stringify(calls))).toMatchObject([
    { id: 1, result: '31337' },
    { id: 2, error: { code: -32601 } },
    { id: null, error: { code: -32600 } },
  ]);
  expect(await served.post(JSON.stringify([calls[1]]))).toBeUndefined();
  expect(await served.post(JSON.stringify(calls[1]))).toBeUndefined();
});

test.each([
  ['nothing at all', '', -32700],
  ['half a text', '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"', -32700],
  ['an empty batch', '[]', -32600],
  ['a text', '"text"', -32600],
  ['null', 'null', -32600],
  ['a call without a version', '{"id":1,"method":"eth_chainId"}', -32600],
  ['a call without a method', '{"jsonrpc":"2.0","id":1}', -32600],
  ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"eth_chainId"}', -32600],
  ['parameters by name', '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":{"a":1}}', -32602],
  ['a parameter of another type', '{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":[1]}', -32602],
  ['no hexadecimal', '{"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["0x0g"]}', -32602],
  ['a subscription over HTTP', '{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}', -32601],
  ['a name that every object knows', '{"jsonrpc":"2.0","id":1,"method":"__proto__"}', -32601],
  ['200,000 levels', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, -32600],
  ['33 levels', `${'['.repeat(33)}${']'.repeat(33)}`, -32600],
  ['a batch of 1,001', JSON.stringify(Array.from({ length: 1_001 }, () => 1)), -32600],
])('%s is refused with the code of its fault', async (_, text, code) => {
  expect(await served.post(text)).toMatchObject({ jsonrpc: '2.0', error: { code } });
});

test('brackets within a text do not count as levels', async () => {
  const method = `${'\\"['.repeat(100)}`;
  expect(await served.post(JSON.stringify({ jsonrpc: '2.0', id: 1, method }))).toMatchObject({
    error: { code: -32601 },
  });
});

test('bytes that are not UTF-8 are not JSON', async () => {
  const body = Buffer.concat([
    Buffer.from('{"jsonrpc":"2.0","id":1,"method":"'),
    Buffer.from([0xff]),
    Buffer.from('"}'),
  ]);
  const response = await fetch(served.url, { method: 'POST', headers: json, body });
  expect(await response.json()).toMatchObject({ error: { code: -32700 } });
});

test('a body above 2 MiB is refused before it is read', async () => {
  const answer = await exchange('POST', json, `"${'x'.repeat(2 * 1_024 * 1_024)}"`);
  expect(answer.status).toBe(413);
  expect(answer.body).toContain('PY1004');
});

test('calls are accepted only by POST, and only as JSON', async () => {
  expect((await exchange('GET', {})).status).toBe(405);
  expect((await exchange('POST', json, blockNumber, '/other')).status).toBe(404);
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    expect((await exchange('POST', { 'Content-Type': type }, blockNumber)).status, type).toBe(415);
  }
});

test('a foreign Host or Origin is refused, over HTTP and for a socket', async () => {
  const own = `127.0.0.1:${served.port}`;
  const foreign = [
    { Host: 'evil.example' },
    { Host: `evil.example:${served.port}` },
    { Host: `127.0.0.1.:${served.port}` },
    { Host: own, Origin: 'http://evil.example' },
    { Host: own, Origin: 'null' },
    { Host: own, Origin: 'http://127.0.0.1:1' },
    { Host: own, 'Sec-Fetch-Site': 'cross-site' },
  ];
  for (const headers of foreign) {
    expect((await exchange('POST', { ...json, ...headers }, blockNumber)).status, JSON.stringify(headers)).toBe(403);
    expect(await refusalOf(headers), JSON.stringify(headers)).toBe(403);
  }
  const allowed = await exchange('POST', { ...json, Origin: 'http://app.example:5173' }, blockNumber);
  expect(allowed.status).toBe(200);
});

/** Returns the status with which a handshake is refused, or 101. */
function refusalOf(headers: Record<string, string>, path = '/'): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${served.port}${path}`, { headers });
    socket.on('unexpected-response', (request, response) => {
      resolve(response.statusCode ?? 0);
      request.destroy();
    });
    socket.on('open', () => {
      socket.close();
      resolve(101);
    });
    socket.on('error', reject);
  });
}

test('sockets are accepted only on /', async () => {
  expect(await refusalOf({})).toBe(101);
  expect(await refusalOf({}, '/ws')).toBe(404);
});

// Everything that signs for, impersonates or rewrites an account, or inspects the engine.
test.each([
  'eth_sendTransaction',
  'eth_sign',
  'eth_signTransaction',
  'eth_signTypedData',
  'eth_signTypedData_v4',
  'personal_sign',
  'personal_unlockAccount',
  'personal_sendTransaction',
  'personal_newAccount',
  'personal_importRawKey',
  'hardhat_impersonateAccount',
  'hardhat_stopImpersonatingAccount',
  'hardhat_setBalance',
  'hardhat_setNonce',
  'hardhat_setCode',
  'hardhat_setStorageAt',
  'hardhat_setCoinbase',
  'hardhat_setPrevRandao',
  'hardhat_dropTransaction',
  'hardhat_setNextBlockBaseFeePerGas',
  'hardhat_setMinGasPrice',
  'hardhat_setLoggingEnabled',
  'hardhat_addCompilationResult',
  'hardhat_intervalMine',
  'hardhat_getStackTraceFailuresCount',
  'anvil_setBalance',
  'anvil_impersonateAccount',
  'anvil_setCode',
  'anvil_dumpState',
  'anvil_loadState',
  'anvil_reset',
  'evm_setBlockGasLimit',
  'evm_addAccount',
  'evm_setAccountBalance',
  'evm_setAccountCode',
  'evm_setAccountNonce',
  'debug_traceTransaction',
  'debug_traceCall',
  'debug_setHead',
  'debug_storageRangeAt',
  'admin_addPeer',
  'miner_start',
  'miner_setEtherbase',
  'txpool_content',
  'trace_block',
  'engine_newPayloadV1',
  'wallet_addEthereumChain',
  'rpc_modules',
])('%s does not exist, and the head stays where it is', async (method) => {
  const before = await served.call('eth_getBlockByNumber', 'latest', false);
  const balance = await served.call('eth_getBalance', bob.address, 'pending');
  for (const params of [[], [alice.address, '0x1'], [{ from: alice.address, to: bob.address, value: '0x1' }]]) {
    expect(await codeOf(served.call(method, ...params))).toBe(-32601);
  }
  expect(await served.call('eth_getBlockByNumber', 'latest', false)).toEqual(before);
  expect(await served.call('eth_getBalance', bob.address, 'pending')).toBe(balance);
});

test('no account is unlocked', async () => {
  expect(await served.call('eth_accounts')).toEqual([]);
});

test.each([
  ['evm_mine', ['soon'], -32602],
  ['evm_mine', [1], -32602],
  ['hardhat_mine', [10_001], -32005],
  ['hardhat_mine', [-1], -32602],
  ['evm_increaseTime', [1.5], -32602],
  ['evm_increaseTime', ['0x1fffffffffffff'], -32602],
  ['evm_setNextBlockTimestamp', [0], -32602],
  ['evm_setAutomine', ['yes'], -32602],
  ['evm_setIntervalMining', [1], -32602],
  ['evm_setIntervalMining', [[1_000, 2_000]], -32602],
  ['evm_revert', ['first'], -32602],
] as const)('%s with the parameters %j is refused and changes nothing', async (method, params, code) => {
  const before = await served.call('eth_getBlockByNumber', 'latest', false);
  expect(await codeOf(served.call(method, ...params))).toBe(code);
  expect(await served.call('eth_getBlockByNumber', 'latest', false)).toEqual(before);
});

test('a transaction that is known, or whose nonce is used, gets that error', async () => {
  const other = await serve();
  const raw = await transfer(alice, 0);
  await other.call('evm_setAutomine', false);
  await other.call('eth_sendRawTransaction', raw);
  await expect(other.call('eth_sendRawTransaction', raw)).rejects.toThrow(/known transaction/i);
  await other.call('evm_setAutomine', true);
  await expect(other.call('eth_sendRawTransaction', raw)).rejects.toThrow(/nonce too low/i);
  await other.stop();
});

test('the health check names the head', async () => {
  const { status, body } = await exchange('GET', {}, '', '/livez');
  expect([status, JSON.parse(body)]).toEqual([200, { ok: true, block: 0 }]);
});
