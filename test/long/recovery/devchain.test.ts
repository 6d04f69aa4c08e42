import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  Contract,
  ContractFactory,
  type ContractTransactionReceipt,
  type ContractTransactionResponse,
  JsonRpcProvider,
  type Wallet,
  WebSocketProvider,
} from 'ethers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { accounts, alice, artifact, bob, transfer } from '../../unit/devchain/support.js';

const program = fileURLToPath(new URL('../../../bin/chain.js', import.meta.url));

interface Program {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** The message that it sent to its parent. */
  readonly report: Promise<{ type: string; port?: number; url?: string; message?: string }>;
  readonly ended: Promise<{ code: number | null; signal: string | null }>;
}

let directory: string;
let programs: Program[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-chain-'));
  programs = [];
});
afterEach(async () => {
  for (const { child } of programs) child.kill('SIGKILL');
  await Promise.all(programs.map(({ ended }) => ended));
  await rm(directory, { recursive: true, force: true });
});

/** Starts the chain as the supervisor does: with a pipe as its input, and its reports over a channel. */
async function launch(more: object = {}, failpoint?: string): Promise<Program> {
  const file = join(directory, 'chain.json');
  await writeFile(file, JSON.stringify({ dataDirectory: join(directory, 'data'), accounts, ...more }));
  const env = { ...process.env, ...(failpoint === undefined ? {} : { PARLEY_FAILPOINT: failpoint }) };
  const child = fork(program, [file], { stdio: ['pipe', 'pipe', 'pipe', 'ipc'], env });
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'close').then(
    ([code, signal]: unknown[]) => ({ code, signal }) as Awaited<Program['ended']>,
  );
  const report = Promise.race([
    once(child, 'message').then(([message]: unknown[]) => message as Awaited<Program['report']>),
    ended.then(() => ({ type: 'ended' })),
  ]);
  const launched = { child, output: () => output, report, ended };
  programs.push(launched);
  return launched;
}

async function start(more: object = {}): Promise<Program & { url: string; port: number }> {
  const launched = await launch(more);
  const { type, url = '', port = 0 } = await launched.report;
  expect(type, launched.output()).toBe('ready');
  return { ...launched, url, port };
}

async function call(url: string, method: string, ...params: unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const answer = (await response.json()) as { result?: unknown; error?: unknown };
  if (answer.error !== undefined) throw new Error(JSON.stringify(answer.error));
  return answer.result;
}

const aHash = (digit: number): string => `0x${String(digit).repeat(64)}`;

test('ethers deploys the network contract, adds a member, pins, and reads the log over HTTP and a socket', async () => {
  const { url } = await start();
  // By default ethers caches answers for 250 ms, and with them a nonce that is used by now.
  const provider = new JsonRpcProvider(url, undefined, { staticNetwork: true, pollingInterval: 20, cacheTimeout: -1 });
  const socket = new WebSocketProvider(url.replace('http', 'ws'), undefined, { cacheTimeout: -1 });
  const operator = alice.connect(provider);
  const member = bob.connect(socket);

  const deployed = await new ContractFactory(artifact.abi, artifact.bytecode, operator).deploy('{"batch":200}');
  const network = new Contract(
    await deployed.waitForDeployment().then((it) => it.getAddress()),
    artifact.abi,
    operator,
  );
  expect(await network.getFunction('limits')()).toBe('{"batch":200}');
  await write(network, 'addMember', 'bob', bob.address, 'bob', 'https://127.0.0.1:1', aHash(1));

  const heads: number[] = [];
  await socket.on('block', (number: number) => heads.push(number));
  const pins: unknown[][] = [];
  const watched = new Contract(network.target, artifact.abi, socket);
  await watched.on('BatchPin', (...values: unknown[]) => void pins.push(values.slice(0, 5)));
  // ethers subscribes in the background: its next answer comes after those of the subscriptions.
  await socket.getBlockNumber();

  const batch = [aHash(2), aHash(3), 'QmPayload', [aHash(4), aHash(5)]];
  const receipt = await write(new Contract(network.target, artifact.abi, member), 'pinBatch', ...batch);
  expect(receipt?.status).toBe(1);
  const expected = [bob.address, ...batch];
  await expect.poll(() => pins.map((values) => values.map(plain))).toEqual([expected]);
  await expect.poll(() => heads).toContain(receipt?.blockNumber);

  const logs = await network.queryFilter('BatchPin');
  expect(logs.map((log) => 'args' in log && log.args.toArray(true))).toEqual([expected]);

  await expect(network.getFunction('pinBatch').staticCall(aHash(2), aHash(3), '', [aHash(4)])).rejects.toMatchObject({
    code: 'CALL_EXCEPTION',
    revert: { name: 'NotRegistered' },
  });
  provider.destroy();
  await socket.destroy();
});

async function write(
  contract: Contract,
  name: string,
  ...values: unknown[]
): Promise<ContractTransactionReceipt | null> {
  const sent = (await contract.getFunction(name)(...values)) as ContractTransactionResponse;
  return sent.wait();
}

function plain(value: unknown): unknown {
  return Array.isArray(value) ? [...(value as unknown[])] : value;
}

/** Sends transfers from each wallet, one after the other, until the chain is gone; returns the answers. */
async function load(url: string, wallets: readonly Wallet[]): Promise<string[]> {
  const answered: string[] = [];
  const send = async (wallet: Wallet): Promise<void> => {
    let nonce = Number(await call(url, 'eth_getTransactionCount', wallet.address, 'latest'));
    for (;;) {
      const batch = await Promise.all([0, 1, 2].map((more) => transfer(wallet, nonce + more)));
      const hashes = await Promise.all(batch.map((raw) => call(url, 'eth_sendRawTransaction', raw)));
      answered.push(...hashes.map(String));
      nonce += 3;
    }
  };
  await Promise.allSettled(wallets.map((wallet) => send(wallet)));
  return answered;
}

async function hashes(url: string): Promise<string[]> {
  const head = Number(await call(url, 'eth_blockNumber'));
  const numbers = Array.from({ length: head + 1 }, (_, number) => `0x${number.toString(16)}`);
  const blocks = await Promise.all(numbers.map((number) => call(url, 'eth_getBlockByNumber', number, false)));
  return blocks.map((block) => (block as { hash: string }).hash);
}

test('killed under load, the chain restarts with every block and transaction that it answered', async () => {
  const seen = new Map<string, string>();
  const answered: string[] = [];
  for (let kill = 0; kill < 6; kill += 1) {
    const { url, child, ended } = await start();
    for (const [number, hash] of (await hashes(url)).entries()) {
      expect(seen.get(String(number)) ?? hash, `block ${number} after kill ${kill}`).toBe(hash);
    }
    for (const hash of answered)
      expect(await call(url, 'eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
    const watching = watchHeads(url, seen);
    const loading = load(url, [alice, bob]);
    await expect.poll(() => seen.size).toBeGreaterThan(20 * (kill + 1) + kill * 7);
    child.kill('SIGKILL');
    await ended;
    answered.push(...(await loading));
    await watching;
  }
  const { url } = await start();
  const final = await hashes(url);
  for (const [number, hash] of seen) expect(final[Number(number)]).toBe(hash);
  for (const hash of answered)
    expect(await call(url, 'eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
  expect(answered.length).toBeGreaterThan(100);
});

/** Records the hash of every head that it receives until the chain is gone. */
async function watchHeads(url: string, seen: Map<string, string>): Promise<void> {
  try {
    for (;;) {
      const { number, hash } = (await call(url, 'eth_getBlockByNumber', 'latest', false)) as {
        number: string;
        hash: string;
      };
      seen.set(String(Number(number)), hash);
    }
  } catch {
    // Killing the chain ends the watch.
  }
}

test.each(['chain.after-mine', 'chain.after-journal-write', 'chain.after-fsync'])(
  'killed at %s, the chain comes back with whole blocks and takes the same transaction again or says that it has it',
  async (point) => {
    const raw = await transfer(alice, 0);
    const armed = await launch({}, `${point}:${point === 'chain.after-mine' ? 1 : 2}:kill`);
    const { url: firstUrl = '' } = await armed.report;
    await expect(call(firstUrl, 'eth_sendRawTransaction', raw)).rejects.toThrow();
    expect((await armed.ended).signal).toBe('SIGKILL');
    const { url } = await start();
    await call(url, 'eth_sendRawTransaction', raw).catch((error: Error) =>
      expect(error.message).toMatch(/nonce too low/i),
    );
    expect(await call(url, 'eth_getTransactionCount', alice.address, 'latest')).toBe('0x1');
    expect(await call(url, 'eth_blockNumber')).toBe('0x1');
  },
);

test('killed while it rewrites its journal, the chain loses nothing', async () => {
  const first = await start();
  for (let nonce = 0; nonce < 5; nonce += 1)
    await call(first.url, 'eth_sendRawTransaction', await transfer(alice, nonce));
  const before = await hashes(first.url);
  first.child.kill('SIGKILL');
  await first.ended;
  const armed = await launch({}, 'chain.mid-replay:3:kill');
  expect((await armed.ended).signal).toBe('SIGKILL');
  const { url } = await start();
  expect(await hashes(url)).toEqual(before);
});

test('SIGTERM and the end of its input make the chain exit cleanly', async () => {
  const first = await start();
  await call(first.url, 'eth_sendRawTransaction', await transfer(alice, 0));
  const before = await hashes(first.url);
  first.child.kill('SIGTERM');
  expect(await first.ended).toEqual({ code: 0, signal: null });
  const second = await start();
  expect(await hashes(second.url)).toEqual(before);
  second.child.stdin?.end();
  expect(await second.ended).toEqual({ code: 0, signal: null });
  for (const line of second.output().trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('level');
});

test('a second process on the same data directory is refused and disturbs nothing', async () => {
  const { url } = await start();
  const second = await launch();
  expect(await second.report).toMatchObject({ type: 'failed', message: expect.stringContaining('in use by process') });
  expect((await second.ended).code).toBe(1);
  expect(await call(url, 'eth_blockNumber')).toBe('0x0');
});

test.each([
  ['a foreign address', { host: '0.0.0.0' }, 'Refusing to listen'],
  ['an unknown key', { genesis: 1 }, 'no key "genesis"'],
])('%s is refused at the start with one line', async (_, more, message) => {
  const refused = await launch(more);
  expect(await refused.report).toMatchObject({ type: 'failed', message: expect.stringContaining(message) });
  expect((await refused.ended).code).toBe(1);
  const errors = refused
    .output()
    .split('\n')
    .filter((line) => line.includes('"level":"error"'));
  expect(errors).toHaveLength(1);
});
