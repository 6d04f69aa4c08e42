import { existsSync } from 'node:fs';
import { chmod, readdir, readFile, readlink, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readAccounts } from '../../../src/stack/keys/accounts.js';
import { operatorKeyFile, signingKeyFile } from '../../../src/stack/keys/keys.js';
import { changeText } from '../../../src/stack/definition/changes.js';
import type { Stack } from '../../../src/stack/places/locate.js';
import { stackLogs } from '../../../src/stack/logs.js';
import { isFree } from '../../../src/stack/ports/free-port.js';
import { removeStack } from '../../../src/stack/remove.js';
import { resetStack } from '../../../src/stack/reset.js';
import { type StartResult, startStack } from '../../../src/stack/running/start.js';
import { stackStatus } from '../../../src/stack/status.js';
import { stopStack } from '../../../src/stack/running/stop.js';
import { isAlive, waitUntilGone } from '../../../src/supervisor/machine/identity.js';
import { aStack, identitiesOf, removed } from '../fixtures/stack.js';

describe('A stack', () => {
  let stack: Stack;
  let first: StartResult;
  const calls: string[] = [];

  beforeAll(async () => {
    stack = await aStack('default');
    first = await startStack(stack);
  });
  afterAll(async () => {
    await removed(stack);
  });

  test('works after its first start: a message is confirmed at every party', () => {
    expect(first).toMatchObject({ name: 'dev', state: 'running', alreadyRunning: false });
    expect(Object.keys(first.smoke?.parties ?? {}).sort()).toEqual(['alice', 'bob', 'carol']);
    expect(first.services.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'chain healthy',
      'store healthy',
      'alice healthy',
      'bob healthy',
      'carol healthy',
    ]);
    expect(first.env).toMatchObject({ STACK_NAME: 'dev', STACK_PARTIES: 'alice,bob,carol', STACK_CHAIN_ID: '31337' });
  });

  test('is not changed by another start while it runs', async () => {
    const before = await identitiesOf(stack);
    expect(await startStack(stack)).toMatchObject({ alreadyRunning: true, smoke: null });
    expect(await identitiesOf(stack)).toEqual(before);
  });

  test('sends another first message each time it is requested', async () => {
    for (let i = 0; i < 2; i++) {
      const { smoke } = await startStack(stack, { smoke: true });
      expect(Object.keys(smoke?.parties ?? {})).toHaveLength(3);
    }
  });

  test('keeps ports, contracts, blocks and messages after stop and start', async () => {
    const before = await factsOf(first);
    expect(await stopStack(stack)).toMatchObject({ alreadyStopped: false, forced: [] });
    expect(await stopStack(stack)).toMatchObject({ alreadyStopped: true });
    expect((await stackStatus(stack)).state).toBe('stopped');
    for (const { port } of first.services) expect(await isFree(port ?? 0)).toBe(true);
    const again = await startStack(stack, {
      onLaunch: () => calls.push(existsSync(stack.layout.socket) ? 'too late' : 'launch'),
      onProgress: () => calls.push('progress'),
    });
    expect(again.smoke).toBeNull();
    expect(await factsOf(again)).toEqual(before);
  });

  test('reports the point from which it may start without its caller', () => {
    expect(calls.slice(0, 2)).toEqual(['launch', 'progress']);
  });

  test('recovers from the death of its supervisor: its processes end, and start restores it', async () => {
    const identities = await identitiesOf(stack);
    expect(identities).toHaveLength(6);
    process.kill(identities[0]?.pid ?? 0, 'SIGKILL');
    for (const identity of identities) expect(await waitUntilGone(identity, 60_000)).toBe(true);
    expect(await startStack(stack)).toMatchObject({ state: 'running', alreadyRunning: false });
  });

  test('recovers without help from the death of any of its programs', async () => {
    for (const name of ['chain', 'store', 'alice']) {
      const before = (await stackStatus(stack)).services.find((row) => row.name === name);
      process.kill(before?.pid ?? 0, 'SIGKILL');
      const seen = async (): Promise<unknown> => {
        const { state, services } = await stackStatus(stack);
        const row = services.find((each) => each.name === name);
        return [state, row?.restarts, row?.port, row?.pid !== before?.pid];
      };
      const wanted = ['running', (before?.restarts ?? 0) + 1, before?.port, true];
      await expect.poll(seen).toEqual(wanted);
    }
  });

  test('stops and starts one party alone', async () => {
    expect(await stopStack(stack, { service: 'bob' })).toMatchObject({ stopped: ['bob'], forced: [] });
    expect((await stackStatus(stack)).state).toBe('degraded');
    expect(await startStack(stack)).toMatchObject({ state: 'running', alreadyRunning: false });
    await expect(stopStack(stack, { service: 'nobody' })).rejects.toMatchObject({ code: 'SERVICE_NOT_FOUND' });
  });

  test('listens only on loopback', async (context) => {
    if (process.platform !== 'linux') context.skip();
    const identities = await identitiesOf(stack);
    const addresses = await listeningAddresses(identities.map(({ pid }) => pid));
    expect(addresses.length).toBeGreaterThanOrEqual(5);
    for (const address of addresses) expect(address).toBe('0100007F');
  });

  test('shows its keys nowhere: not in arguments, environments, logs or configurations', async (context) => {
    if (process.platform !== 'linux') context.skip();
    const { layout } = stack;
    const files = [operatorKeyFile(layout), ...['alice', 'bob', 'carol'].map((party) => signingKeyFile(layout, party))];
    const keys = await Promise.all(files.map(async (path) => (await readFile(path, 'utf8')).trim().slice(2)));
    const texts = await Promise.all([
      ...(await identitiesOf(stack)).flatMap(({ pid }) =>
        ['cmdline', 'environ'].map((name) => readFile(`/proc/${pid}/${name}`, 'latin1')),
      ),
      ...[layout.logs, layout.run, layout.data].map((directory) => textUnder(directory)),
    ]);
    expect(texts).not.toContain('');
    for (const key of keys) for (const text of texts) expect(text.includes(key)).toBe(false);
  });

  test('has logs of each of its programs, also while it is stopped', async () => {
    const seen = new Set<string>();
    const options = { services: [], lines: 5, follow: false, signal: new AbortController().signal };
    for await (const { service, line } of stackLogs(stack, options)) {
      expect(JSON.parse(line)).toMatchObject({ level: expect.any(String) as unknown });
      seen.add(service);
    }
    expect([...seen].sort()).toEqual(['alice', 'bob', 'carol', 'chain', 'contracts', 'smoke', 'store', 'supervisor']);
  });

  test('is unchanged by a start that is refused, after a reset or with other settings', async () => {
    const { layout, settings } = stack;
    const changed = { ...stack, settings: { ...settings, batch: { ...settings.batch, maxMessages: 3 } } };
    const before = await identitiesOf(stack);
    const key = operatorKeyFile(layout);
    await chmod(key, 0o644);
    try {
      await expect(resetStack(stack)).rejects.toMatchObject({ code: 'KEY_NOT_PRIVATE' });
      await expect(startStack(changed)).rejects.toMatchObject({ code: 'KEY_NOT_PRIVATE' });
    } finally {
      await chmod(key, 0o600);
    }
    expect((await stackStatus(stack)).state).toBe('running');
    expect(await identitiesOf(stack)).toEqual(before);
    expect((await messagesAt(first, 'bob')).length).toBeGreaterThan(0);
  });

  test("loses the network's history on reset, and keeps its accounts, ports and contract addresses", async () => {
    const accounts = await readAccounts(stack.layout);
    const { restarted, freedBytes, start } = await resetStack(stack);
    expect([restarted, freedBytes > 0]).toEqual([true, true]);
    expect(start?.smoke).not.toBeNull();
    expect(start?.contracts?.network.address).toBe(first.contracts?.network.address);
    expect(start?.services.map(({ port }) => port)).toEqual(first.services.map(({ port }) => port));
    expect(await readAccounts(stack.layout)).toEqual(accounts);
    expect(await messagesAt(start, 'bob')).toHaveLength(1);
  });

  test('starts anew after a reset that was killed as soon as the data were moved aside', async () => {
    await stopStack(stack);
    await rename(stack.layout.data, join(stack.layout.directory, '.trash-0123456789ab'));
    const start = await startStack(stack);
    expect(start.contracts?.network.address).toBe(first.contracts?.network.address);
    expect(await messagesAt(start, 'bob')).toHaveLength(1);
    expect((await readdir(stack.layout.directory)).filter((name) => name.startsWith('.trash-'))).toEqual([]);
  });

  test('applies a changed definition: a new party is registered, funded and started', async () => {
    const before = (await startStack(stack)).services;
    const parties = [...stack.settings.parties, { name: 'dave', organization: 'Dave', node: 'dave-node' }];
    const settings = { ...stack.settings, parties, logs: { ...stack.settings.logs, level: 'debug' as const } };
    const seen: unknown[] = [];
    const started = await startStack(
      { ...stack, settings },
      { onChanges: (changes, { isRunning }) => Promise.resolve(void seen.push(isRunning, ...changes.map(changeText))) },
    );
    expect(seen).toEqual([true, 'logs.level: info → debug', expect.stringContaining('party dave is new')]);
    expect(started).toMatchObject({
      alreadyRunning: false,
      state: 'running',
      changes: [{}, { setting: 'parties.dave' }],
    });
    expect(started.services.slice(0, -1).map(({ port }) => port)).toEqual(before.map(({ port }) => port));
    // Dave's messages are pinned with a key that had no funds when the chain started.
    const sent = await fetch(
      `${started.services.at(-1)?.url}/api/v1/namespaces/default/messages/broadcast?confirm=true`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"data":[{"value":"hello"}]}',
      },
    );
    expect([sent.status, await sent.json()]).toMatchObject([200, { state: 'confirmed' }]);
    expect(await startStack({ ...stack, settings })).toMatchObject({ alreadyRunning: true, changes: [] });
  });

  test('refuses a definition that its network cannot adopt, and is unchanged', async () => {
    const before = await identitiesOf(stack);
    await expect(startStack(stack)).rejects.toMatchObject({
      code: 'STATE_INVALID',
      exitCode: 10,
      message: expect.stringContaining('the party dave was removed') as string,
      hint: expect.stringContaining('stack reset') as string,
    });
    expect(await identitiesOf(stack)).toEqual(before);
  });
});

describe('A stack for tests', () => {
  test('runs on ports that the system chooses, and leaves nothing when it is removed', async () => {
    const stack = await aStack('ci');
    onTestFinished(() => removed(stack));
    const { services, state } = await startStack(stack);
    expect(state).toBe('running');
    const identities = await identitiesOf(stack);
    const chain = services.find(({ name }) => name === 'chain');
    process.kill(chain?.pid ?? 0, 'SIGKILL');
    const port = async (): Promise<unknown> => {
      const status = await stackStatus(stack);
      return status.state === 'running' && status.services.find(({ name }) => name === 'chain')?.port;
    };
    await expect.poll(port).toBe(chain?.port);
    const all = [...identities, ...(await identitiesOf(stack))];
    expect(await removeStack(stack)).toEqual({ removed: ['dev'], leftovers: [], kept: [] });
    for (const identity of all) expect(await isAlive(identity)).toBe(false);
    await expect(stat(stack.layout.directory)).rejects.toThrow('ENOENT');
    await expect(stat(stack.layout.socket)).rejects.toThrow('ENOENT');
  });
});

/** Returns the facts that a stop and a start must not change. */
async function factsOf(result: StartResult): Promise<unknown> {
  const chain = result.services.find(({ name }) => name === 'chain');
  const messages = await Promise.all(['alice', 'bob', 'carol'].map((party) => messagesAt(result, party)));
  return {
    ports: result.services.map(({ port }) => port),
    contracts: result.contracts,
    messages,
    blocks: await Promise.all(['0x0', '0x1', '0x4'].map((number) => blockAt(chain?.url ?? '', number))),
  };
}

async function messagesAt(result: StartResult | null, party: string): Promise<unknown[]> {
  const url = result?.services.find(({ name }) => name === party)?.url ?? '';
  const response = await fetch(`${url}/api/v1/namespaces/svc_system/messages`);
  const messages = (await response.json()) as unknown[];
  expect(messages.length).toBeGreaterThan(0);
  return messages;
}

async function blockAt(url: string, number: string): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: [number, false] }),
  });
  const { result } = (await response.json()) as { result: { hash: string } };
  return result.hash;
}

/** Returns the local addresses, in the system's notation, on which these processes listen. */
async function listeningAddresses(pids: readonly number[]): Promise<string[]> {
  const sockets = new Set<string>();
  for (const pid of pids) {
    for (const name of await readdir(`/proc/${pid}/fd`)) {
      sockets.add(await readlink(`/proc/${pid}/fd/${name}`).catch(() => ''));
    }
  }
  const tables = await Promise.all(['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readFile(path, 'utf8')));
  const rows = tables.flatMap((table) =>
    table
      .split('\n')
      .slice(1)
      .map((row) => row.trim().split(/\s+/)),
  );
  const ours = rows.filter((row) => row[3] === '0A' && sockets.has(`socket:[${row[9]}]`));
  return ours.map((row) => row[1]?.split(':')[0] ?? '');
}

async function textUnder(directory: string): Promise<string> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return (await Promise.all(files.map((path) => readFile(path, 'latin1')))).join('\n');
}
