import { writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { WebSocketServer } from 'ws';
import { expect, onTestFinished, test } from 'vitest';
import { chainTrouble } from '../../../../src/stack/engines/external.js';
import { inspectChain, lowKeys } from '../../../../src/stack/engines/external-chain.js';
import { deriveAccounts } from '../../../../src/stack/keys/accounts.js';
import { aDirectory } from '../../supervisor/fixtures/plans.js';
import { aStartedStack } from '../fixtures/started-stack.js';

/** Listens on loopback. Resolves with the address. */
async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`;
}

/** A chain that answers these methods with these members, and does not answer others. */
function chainWith(answers: Readonly<Record<string, object | ((params: never) => object)>>): Server {
  return createHttpServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.once('end', () => {
      const { id, method, params } = JSON.parse(text) as { id: number; method: string; params: never };
      const given = answers[method];
      const answer = typeof given === 'function' ? (given as (params: never) => object)(params) : given;
      if (answer !== undefined) response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    });
  });
}

const [chainId, genesis] = ['0x1', { hash: `0x${'a'.repeat(64)}`, baseFeePerGas: '0x1' }];

/** The answers of a complete chain, with refusals of the invalid calls. */
const complete: Readonly<Record<string, object>> = {
  eth_chainId: { result: chainId },
  eth_getBlockByNumber: { result: genesis },
  eth_blockNumber: { result: '0x1' },
  eth_getLogs: { result: [] },
  eth_getBalance: { result: '0x0' },
  eth_getCode: { result: '0x' },
  eth_getTransactionCount: { result: '0x0' },
  eth_getTransactionByBlockHashAndIndex: { result: null },
  eth_getTransactionReceipt: { result: null },
  eth_call: { result: '0x' },
  eth_estimateGas: { error: { code: -32_000, message: 'execution reverted' } },
  eth_sendRawTransaction: { error: { code: -32_000, message: 'typed transaction too short' } },
  eth_feeHistory: { result: { baseFeePerGas: ['0x1', '0x1'], reward: [['0x1']] } },
  eth_maxPriorityFeePerGas: { error: { code: -32_601, message: 'the method does not exist' } },
};

/** Listens for WebSockets, and answers only these methods. Resolves with the address. */
async function listenForSockets(answers: Readonly<Record<string, object>>): Promise<string> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  onTestFinished(() => server.close());
  server.on('connection', (socket) => {
    socket.on('message', (data: Buffer) => {
      const { id, method } = JSON.parse(data.toString()) as { readonly id: number; readonly method: string };
      const answer = answers[method];
      if (answer !== undefined) socket.send(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    });
  });
  const address = server.address();
  return `ws://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`;
}

function chainAt(url: string): Parameters<typeof chainTrouble>[0] {
  return {
    url,
    ws: null,
    chainId: null,
    confirmations: 3,
    contracts: null,
    operatorKey: null,
    funder: null,
    fees: {},
    authFile: null,
  };
}

test('a chain is healthy if it answers the newest block and a call, even with a revert', async () => {
  const block = { eth_blockNumber: { result: '0x1' } };
  for (const answer of [{ result: '0x' }, { error: { code: 3, message: 'execution reverted' } }]) {
    const url = await listen(chainWith({ ...block, eth_call: answer }));
    expect(await chainTrouble(chainAt(url))).toBeUndefined();
  }
});

test('a chain that accepts connections and does not answer is reported with the limit', async () => {
  const sockets = new Set<{ destroy(): unknown }>();
  const url = await listen(createServer((socket) => void sockets.add(socket)));
  expect(await chainTrouble(chainAt(url))).toBe(`chain.url: ${url} did not answer eth_blockNumber within 2 s.`);
  for (const socket of sockets) socket.destroy();
});

test('a chain whose calls hang is reported with the method', async () => {
  const server = chainWith({ eth_chainId: { result: '0x1' }, eth_blockNumber: { result: '0x1' } });
  const url = await listen(server);
  expect(await chainTrouble(chainAt(url))).toBe(`chain.url: ${url} did not answer eth_call within 2 s.`);
});

test('a chain that is unreachable, and an address that is not a chain, are reported', async () => {
  const server = createServer();
  const url = await listen(server);
  server.close();
  expect(await chainTrouble(chainAt(url))).toMatch(/^chain\.url: .* does not answer eth_blockNumber/);
  const page = await listen(createHttpServer((_request, response) => void response.end('<html>')));
  expect(await chainTrouble(chainAt(page))).toMatch(/^chain\.url: .* does not answer eth_blockNumber/);
});

test('a chain that does not answer is refused with the name of its setting', async () => {
  const sockets = new Set<{ destroy(): unknown }>();
  const url = await listen(createServer((socket) => void sockets.add(socket)));
  await expect(inspectChain(chainAt(url), undefined)).rejects.toMatchObject({
    code: 'CHAIN_UNREACHABLE',
    message: `chain.url: ${url} did not answer eth_chainId within 5 s.`,
  });
  for (const socket of sockets) socket.destroy();
});

test('a complete chain is accepted, even if it refuses the invalid calls', async () => {
  const url = await listen(chainWith(complete));
  expect(await inspectChain(chainAt(url), undefined)).toMatchObject({ chainId: 1 });
});

test.each([
  ['other JSON', '{"message":"Too many requests"}'],
  ['a page', '<html>'],
])('a server that limits requests with %s is named with its status', async (_, text) => {
  const url = await listen(createHttpServer((_request, response) => void response.writeHead(429).end(text)));
  const message = expect.stringMatching(/^chain\.url: .* 429/) as string;
  await expect(inspectChain(chainAt(url), undefined)).rejects.toMatchObject({ exitCode: 9, message });
});

test('a chain without base fees is refused with the name of its setting', async () => {
  const { hash } = genesis;
  const url = await listen(chainWith({ ...complete, eth_getBlockByNumber: { result: { hash } } }));
  const message = expect.stringMatching(/^chain\.url: .*EIP-1559/) as string;
  await expect(inspectChain(chainAt(url), undefined)).rejects.toMatchObject({ code: 'CHAIN_UNSUITABLE', message });
});

test('a chain without its oldest logs is accepted', async () => {
  const askLogs = ([{ fromBlock }]: readonly [{ readonly fromBlock: string }]) =>
    fromBlock === '0x0' ? { error: { code: 4_444, message: 'pruned history unavailable' } } : { result: [] };
  const url = await listen(chainWith({ ...complete, eth_getLogs: askLogs }));
  expect(await inspectChain(chainAt(url), undefined)).toMatchObject({ chainId: 1 });
});

test.each([
  ['is free', { eth_feeHistory: { result: { baseFeePerGas: ['0x0', '0x0'], reward: [['0x0']] } } }],
  ['does not tell its fees now', { eth_feeHistory: { error: { code: -32_005, message: 'rate limited' } } }],
])('on a chain that %s no key is reported to have too little', async (_, answers) => {
  const url = await listen(chainWith({ ...complete, ...answers }));
  const stack = await aStartedStack([`chain: {provider: url, url: "${url}"}`]);
  await deriveAccounts(stack.layout, stack.settings);
  expect(await lowKeys(stack)).toEqual([]);
  const funded = await listen(chainWith(complete));
  const external = stack.settings.chain.external && { ...stack.settings.chain.external, url: funded };
  const settings = { ...stack.settings, chain: { ...stack.settings.chain, external } };
  expect(await lowKeys({ ...stack, settings })).not.toEqual([]);
});

const optional = ['eth_maxPriorityFeePerGas'];

test.each(Object.keys(complete).filter((method) => !optional.includes(method)))(
  'a chain without %s is refused with the names of its setting and the method',
  async (method) => {
    const missing = { error: { code: -32_601, message: `the method ${method} does not exist/is not available` } };
    const url = await listen(chainWith({ ...complete, [method]: missing }));
    const named = expect.stringMatching(`^chain\\.url: .*${method}`) as string;
    await expect(inspectChain(chainAt(url), undefined)).rejects.toMatchObject({ exitCode: 9, message: named });
  },
);

test('a chain that answers only its id is refused within the limit, with the method', async () => {
  const url = await listen(chainWith({ eth_chainId: { result: chainId } }));
  await expect(inspectChain(chainAt(url), undefined)).rejects.toMatchObject({
    code: 'CHAIN_UNREACHABLE',
    message: `chain.url: ${url} did not answer eth_getBlockByNumber within 5 s.`,
  });
});

test('a token contract that does not fit its connector is refused with the name of its setting', async () => {
  const url = await listen(
    chainWith({ ...complete, eth_call: { result: '0x7d0' }, eth_getCode: { result: '0x6001600255' } }),
  );
  const at = `0x${'1'.repeat(40)}`;
  const chain = { ...chainAt(url), contracts: { network: at, tokens: { erc1155: at } } };
  await expect(inspectChain(chain, undefined)).rejects.toMatchObject({
    exitCode: 10,
    message: expect.stringContaining('chain.contracts.tokens.erc1155') as string,
  });
});

test('the WebSocket of the same chain is accepted', async () => {
  const [url, ws] = [await listen(chainWith(complete)), await listenForSockets(complete)];
  expect(await inspectChain({ ...chainAt(url), ws }, undefined)).toMatchObject({ chainId: 1 });
});

test.each([
  ['has another chain id', { eth_chainId: { result: '0x2' } }, 10, 'its id is 2'],
  ['has another genesis block', { eth_getBlockByNumber: { result: { hash: '0x1' } } }, 10, 'its genesis block differs'],
  ['returns no chain id', { eth_chainId: { error: { message: 'no' } } }, 9, 'returned no chain id'],
])('a WebSocket that %s is refused with the name of its setting', async (_, answers, exitCode, sentence) => {
  const [url, ws] = [await listen(chainWith(complete)), await listenForSockets({ ...complete, ...answers })];
  const found = inspectChain({ ...chainAt(url), ws }, undefined);
  await expect(found).rejects.toMatchObject({
    exitCode,
    message: expect.stringMatching(`^chain\\.ws: .*${sentence}`) as string,
  });
});

test.each([
  ['does not answer', createServer(() => undefined), 'did not answer within 5 s'],
  ['answers with a page', createHttpServer((_, response) => void response.end('<html>')), 'answers 200'],
])('an address for WebSockets that %s is refused with the name of its setting', async (_, server, sentence) => {
  const url = await listen(chainWith(complete));
  const ws = (await listen(server)).replace('http', 'ws');
  await expect(inspectChain({ ...chainAt(url), ws }, undefined)).rejects.toMatchObject({
    exitCode: 9,
    message: expect.stringMatching(`^chain\\.ws: .*${sentence}`) as string,
  });
});

test.each([
  [401, '', 'it asks for credentials', 'set chain.authFile to file:PATH'],
  [403, '', 'it asks for credentials', 'set chain.authFile to file:PATH'],
  [401, 'a-token', 'it refuses the credentials of chain.authFile', 'into the file of chain.authFile'],
])('a WebSocket that answers %i to the token "%s" is refused: %s', async (status, token, reason, hint) => {
  const url = await listen(chainWith(complete));
  const server = createHttpServer((_, response) => void response.writeHead(status).end());
  const ws = (await listen(server)).replace('http', 'ws');
  const authFile = token === '' ? null : join(aDirectory(), 'token');
  if (authFile !== null) writeFileSync(authFile, `${token}\n`, { mode: 0o600 });
  await expect(inspectChain({ ...chainAt(url), ws, authFile }, undefined)).rejects.toMatchObject({
    code: 'CHAIN_UNSUITABLE',
    exitCode: 9,
    message: `chain.ws: ${ws} answers ${status}: ${reason}.`,
    hint: expect.stringContaining(hint) as string,
  });
});
