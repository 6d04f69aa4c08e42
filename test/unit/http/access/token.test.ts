import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createEthereumBlockchain } from '../../../../src/adapters/blockchain/ethereum.js';
import { createSystemClock } from '../../../../src/adapters/clock/system.js';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import { createKuboStore } from '../../../../src/adapters/shared-store/kubo.js';
import { readAuthorization, readToken } from '../../../../src/http/access/token.js';
import { aConfig, genesis, type Served, serve } from '../../devchain/support.js';
import { add, openStore, type OpenStore } from '../../sharedstore/open-store.js';

const token = 'T'.repeat(43);
let directory = '';
let tokenFile = '';
let chain: Served;
let store: OpenStore;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-token-'));
  tokenFile = join(directory, 'token');
  await writeFile(tokenFile, `${token}\n`, { mode: 0o600 });
  chain = await serve({ config: aConfig({ tokenFile }) });
  store = await openStore({ tokenFile });
});
afterAll(async () => {
  await chain.stop();
  await store.dispose();
  await rm(directory, { recursive: true, force: true });
});

const basic = (name: string) => `Basic ${Buffer.from(`${name}:${token}`).toString('base64')}`;
const strangers = [undefined, `Bearer ${'U'.repeat(43)}`, basic('alice'), 'Basic !', `Bearer ${token.slice(1)}`];

function call(url: string, authorization: string | undefined, method = 'POST'): Promise<Response> {
  const headers = { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [{ fromBlock: '0x0' }] });
  return fetch(url, { method, headers, ...(method === 'POST' && { body }) });
}

/** Returns how a handshake ends: `open`, or the server's answer. */
function shake(url: string, authorization: string | undefined): Promise<string> {
  const socket = new WebSocket(url, { headers: authorization === undefined ? {} : { authorization } });
  return new Promise((resolve) => {
    socket.once('open', () => {
      socket.close();
      resolve('open');
    });
    socket.once('error', ({ message }) => resolve(message));
  });
}

describe('a chain that requires a token', () => {
  it('answers only its supervisor without it, on requests and on sockets', async () => {
    for (const authorization of strangers) {
      const { status, headers } = await call(chain.url, authorization);
      expect([status, headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('Basic')]);
      expect(await shake(chain.url.replace('http', 'ws'), authorization)).toContain('401');
    }
    expect((await fetch(`${chain.url}/livez`)).status).toBe(200);
  });

  it('answers clients that send it, as a bearer token or as the password of "chain"', async () => {
    for (const authorization of [`Bearer ${token}`, basic('chain')]) {
      expect((await call(chain.url, authorization)).status).toBe(200);
      expect(await shake(chain.url.replace('http', 'ws'), authorization)).toBe('open');
    }
  });

  it('is read only by a node that has it', async () => {
    const open = (given: string | undefined) =>
      createEthereumBlockchain({
        url: chain.url.replace('http', 'ws'),
        authorization: given,
        contract: `0x${'0'.repeat(40)}`,
        firstBlock: 0,
        confirmations: 0,
        keys: [],
        log: createSilentLog(),
        clock: createSystemClock(),
      });
    const stranger = open(undefined);
    await expect(stranger.status()).rejects.toThrow(/401/);
    await stranger.close();
    const node = open(`Bearer ${token}`);
    // With the token, it looks for the contract, which does not exist.
    await expect(node.status()).rejects.toThrow(/contract/);
    await node.close();
    expect(genesis.chainId).toBe(31_337);
  });
});

describe('a store that requires a token', () => {
  it('accepts and returns nothing without it', async () => {
    const node = createKuboStore({ apiUrl: store.url, gatewayUrl: store.url, authorization: `Bearer ${token}` });
    const name = await node.put(Buffer.from('secret'));
    expect(Buffer.from(await node.get(name, { maxBytes: 100 })).toString()).toBe('secret');
    for (const authorization of strangers) {
      for (const path of [`/ipfs/${name}`, '/api/v0/version', `/api/v0/cat?arg=${name}`]) {
        const method = path.startsWith('/ipfs') ? 'GET' : 'POST';
        expect([path, (await call(`${store.url}${path}`, authorization, method)).status]).toEqual([path, 401]);
      }
    }
    expect((await add(store.url, Buffer.from('more'))).status).toBe(401);
    await expect(
      createKuboStore({ apiUrl: store.url, gatewayUrl: store.url }).get(name, { maxBytes: 100 }),
    ).rejects.toThrow();
    expect((await fetch(`${store.url}/livez`)).status).toBe(200);
  });
});

describe('the file of credentials', () => {
  it('has a token of any form, or a user with a password', async () => {
    const path = join(directory, 'credentials');
    const headerOf = async (text: string) => {
      await writeFile(path, text, { mode: 0o600 });
      return readAuthorization(path);
    };
    expect(await readAuthorization(undefined)).toBeUndefined();
    expect(await headerOf('ey.J0-x_=\n')).toBe('Bearer ey.J0-x_=');
    expect(await headerOf('me:pass:word\n')).toBe(`Basic ${Buffer.from('me:pass:word').toString('base64')}`);
    for (const text of ['', 'two words', ':nobody', 'a\nb']) await expect(headerOf(text)).rejects.toThrow(/token/);
  });
});

describe('the file of a token', () => {
  it('must be private and hold a token, or the program does not start', async () => {
    expect(await readToken(tokenFile)).toBe(token);
    expect(await readToken(undefined)).toBeUndefined();
    const short = join(directory, 'short');
    await writeFile(short, 'abc', { mode: 0o600 });
    await expect(readToken(short)).rejects.toThrow(/43/);
    const open = join(directory, 'open');
    await writeFile(open, token);
    await chmod(open, 0o644);
    await expect(serve({ config: aConfig({ tokenFile: open }) })).rejects.toThrow(/0600/);
  });
});
