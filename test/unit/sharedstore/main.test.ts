import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSeededRandom } from '../../../src/adapters/random/seeded.js';
import { cidFor } from './open-store.js';

const program = join(import.meta.dirname, '../../../bin/store.js');
const children: ChildProcess[] = [];
let folder: string;
let directory: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-program-'));
  directory = join(folder, 'data');
});
afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
  await rm(folder, { recursive: true });
});

interface Started {
  readonly child: ChildProcess;
  readonly message: Record<string, unknown>;
}

/** Starts the program and waits for its first message. */
async function start(config: object = {}, failpoints?: string): Promise<Started> {
  const path = join(folder, 'config.json');
  await writeFile(path, JSON.stringify({ dataDirectory: directory, minFreeBytes: 0, logLevel: 'error', ...config }));
  const env = failpoints === undefined ? process.env : { ...process.env, PARLEY_FAILPOINT: failpoints };
  const child = fork(program, [path], { env, stdio: ['pipe', 'ignore', 'inherit', 'ipc'] });
  children.push(child);
  const [message] = await once(child, 'message');
  return { child, message };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

describe('the store as a process', () => {
  it('keeps its content across a restart', async () => {
    const first = await start();
    const cid = await cidFor(String(first.message['url']), Buffer.from('hello world\n'));
    first.child.kill('SIGTERM');
    expect(await once(first.child, 'exit')).toEqual([0, null]);
    const second = await start();
    expect(await (await fetch(`${String(second.message['url'])}/ipfs/${cid}`)).text()).toBe('hello world\n');
  });

  it('stops with exit code 0 when its supervisor is gone', async () => {
    const { child } = await start();
    child.stdin?.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('refuses a directory that another store uses, and names the process', async () => {
    const first = await start();
    const second = await start();
    expect(second.message).toEqual({
      type: 'failed',
      message: expect.stringContaining(`in use by process ${first.child.pid}.`),
    });
    expect(await once(second.child, 'exit')).toEqual([1, null]);
    expect((await fetch(`${String(first.message['url'])}/livez`)).status).toBe(200);
  });

  it('refuses to start with an unknown setting, beyond loopback, and on a port in use', async () => {
    expect((await start({ typo: 1 })).message).toMatchObject({
      type: 'failed',
      message: expect.stringContaining('"typo"'),
    });
    expect((await start({ host: '0.0.0.0' })).message).toMatchObject({ type: 'failed' });
    const { message } = await start();
    directory = join(folder, 'other');
    expect((await start({ port: message['port'] })).message).toMatchObject({ type: 'failed' });
    expect((await start()).message).toMatchObject({ type: 'ready' });
  });

  it('removes drafts of an earlier process', async () => {
    await mkdir(join(directory, 'drafts'), { recursive: true });
    await writeFile(join(directory, 'drafts', 'torn'), 'half of somethi');
    await start();
    expect(await readdir(join(directory, 'drafts'))).toEqual([]);
  });

  it.each(['store.after-temp', 'store.after-rename'])(
    'recovers from SIGKILL at %s, and can add the same content again',
    async (point) => {
      const bytes = randomBytes(600_000);
      const first = await start({}, `${point}:1:kill`);
      await expect(cidFor(String(first.message['url']), bytes)).rejects.toThrow();
      const second = await start();
      const url = String(second.message['url']);
      expect(await readdir(join(directory, 'drafts'))).toEqual([]);
      const cid = await cidFor(url, bytes);
      expect(Buffer.from(await (await fetch(`${url}/ipfs/${cid}`)).arrayBuffer()).equals(bytes)).toBe(true);
    },
  );

  it('loses nothing that it has acknowledged when it is killed repeatedly', async () => {
    const random = createSeededRandom(11);
    const acknowledged = new Map<string, Buffer>();
    for (let round = 0; round < 6; round += 1) {
      const { child, message } = await start();
      const url = String(message['url']);
      for (const [cid, bytes] of acknowledged) {
        const answer = await fetch(`${url}/ipfs/${cid}`);
        expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
      }
      const adding = Array.from({ length: 4 }, async () => {
        for (let count = 0; count < 10; count += 1) {
          const bytes = Buffer.from(randomBytes(random.integer(600_000)));
          acknowledged.set(await cidFor(url, bytes), bytes);
        }
      });
      const ended = Promise.allSettled(adding);
      // In the middle of the round's forty additions.
      const killAt = acknowledged.size + 5 + random.integer(20);
      while (acknowledged.size < killAt) await new Promise((resolve) => setImmediate(resolve));
      await kill(child);
      await ended;
    }
    expect(acknowledged.size).toBeGreaterThan(30);
  });
});
