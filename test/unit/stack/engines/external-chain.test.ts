import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { chainTrouble } from '../../../../src/stack/engines/external.js';
import { inspectChain } from '../../../../src/stack/engines/external-chain.js';

/** Listens on loopback; returns its address. */
async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`;
}

/** A chain that answers these methods with these members, and no other call. */
function chainThat(answers: Readonly<Record<string, object>>): Server {
  return createHttpServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.once('end', () => {
      const { id, method } = JSON.parse(text) as { readonly id: number; readonly method: string };
      const answer = answers[method];
      if (answer !== undefined) response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    });
  });
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

test('a chain is well if it tells its newest block and what a contract says, be it a refusal', async () => {
  const block = { eth_blockNumber: { result: '0x1' } };
  for (const answer of [{ result: '0x' }, { error: { code: 3, message: 'execution reverted' } }]) {
    const url = await listen(chainThat({ ...block, eth_call: answer }));
    expect(await chainTrouble(chainAt(url))).toBeUndefined();
  }
});

test('a chain that accepts connections and is silent is named with the limit', async () => {
  const sockets = new Set<{ destroy(): unknown }>();
  const url = await listen(createServer((socket) => void sockets.add(socket)));
  expect(await chainTrouble(chainAt(url))).toBe(`chain.url: ${url} did not answer eth_blockNumber within 2 s.`);
  for (const socket of sockets) socket.destroy();
});

test('a chain whose calls of contracts hang is named with the method', async () => {
  const server = chainThat({ eth_chainId: { result: '0x1' }, eth_blockNumber: { result: '0x1' } });
  const url = await listen(server);
  expect(await chainTrouble(chainAt(url))).toBe(`chain.url: ${url} did not answer eth_call within 2 s.`);
});

test('a chain that is away, and something else that answers, are named', async () => {
  const server = createServer();
  const url = await listen(server);
  server.close();
  expect(await chainTrouble(chainAt(url))).toMatch(/^chain\.url: .* does not answer eth_blockNumber/);
  const page = await listen(createHttpServer((_request, response) => void response.end('<html>')));
  expect(await chainTrouble(chainAt(page))).toMatch(/^chain\.url: .* does not answer eth_blockNumber/);
});

test('a silent chain is refused by its setting, before anything else waits for it', async () => {
  const sockets = new Set<{ destroy(): unknown }>();
  const url = await listen(createServer((socket) => void sockets.add(socket)));
  await expect(inspectChain(chainAt(url), undefined)).rejects.toMatchObject({
    code: 'CHAIN_UNREACHABLE',
    message: `chain.url: ${url} did not answer eth_chainId within 5 s.`,
  });
  for (const socket of sockets) socket.destroy();
});
