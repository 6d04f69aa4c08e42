import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { downloadOne, localName } from '../../../../src/cli/data/download.js';
import { memoryOutput } from '../memory-output.js';
import { type PlainNode, startPlainNode } from '../plain-node.js';

const id = '52d9e1f0-7b3a-4c86-9e0d-4f8a6b2c1d06';
const bytes = Buffer.from('hello parley\n');
const hash = createHash('sha256').update(bytes).digest('hex');

let node: PlainNode | undefined;
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-download-'));
});
afterEach(async () => {
  await node?.stop();
  rmSync(folder, { recursive: true });
});

/** Downloads from a node that serves `served` for data with this blob. */
async function download(output: string, served: Buffer, blob: object | null = { hash, size: 13, name: 'a/hello.txt' }) {
  node = await startPlainNode(({ path }) => {
    if (path === `data/${id}`) return { body: { id, value: null, ...(blob === null ? {} : { blob }) } };
    return path === `data/${id}/blob` ? { body: served } : undefined;
  });
  const written = memoryOutput();
  const flags = { id, output, progress: 'auto', url: node.url } as const;
  const context = { output: written.output, environment: {}, program: 'stack' };
  const error: unknown = await downloadOne(flags, context).catch((thrown: unknown) => thrown);
  return { out: written.out(), error };
}

/** Downloads to a FIFO, which a program starts to read. */
async function downloadTo(fifo: string) {
  const reader = spawn('cat', [fifo], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void reader.kill('SIGKILL'));
  const got = text(reader.stdout);
  return { error: (await download(fifo, bytes)).error, got };
}

describe('a download', () => {
  it('creates the named file, replacing an existing one', async () => {
    const path = join(folder, 'got.txt');
    writeFileSync(path, 'older');
    const { error } = await download(path, bytes);
    expect(error).toBeUndefined();
    expect(readFileSync(path)).toEqual(bytes);
    expect(readdirSync(folder)).toEqual(['got.txt']);
  });

  it('uses its own name in a directory, and replaces nothing there', async () => {
    expect((await download(folder, bytes)).error).toBeUndefined();
    expect(readFileSync(join(folder, 'hello.txt'))).toEqual(bytes);
    await node?.stop();
    expect((await download(folder, bytes)).error).toMatchObject({ code: 'CONFLICT' });
  });

  it('replaces the file behind a link, even a missing one, and keeps the link', async () => {
    mkdirSync(join(folder, 'real'));
    const [link, real] = [join(folder, 'link'), join(folder, 'real', 'got.txt')];
    symlinkSync(join('real', 'got.txt'), link);
    for (const before of [undefined, 'older']) {
      if (before !== undefined) writeFileSync(real, before);
      expect((await download(link, bytes)).error).toBeUndefined();
      expect(readFileSync(real)).toEqual(bytes);
      expect(lstatSync(link).isSymbolicLink()).toBe(true);
      expect([readdirSync(folder), readdirSync(join(folder, 'real'))]).toEqual([['link', 'real'], ['got.txt']]);
      await node?.stop();
    }
  });

  it('is refused for a link to itself', async () => {
    const link = join(folder, 'link');
    symlinkSync('link', link);
    expect((await download(link, bytes)).error).toMatchObject({ code: 'USAGE' });
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
  });

  it('does not follow a link with its own name in a directory', async () => {
    symlinkSync('elsewhere', join(folder, 'hello.txt'));
    expect((await download(folder, bytes)).error).toMatchObject({ code: 'CONFLICT' });
    expect(readdirSync(folder)).toEqual(['hello.txt']);
  });

  it('is written to the reader of a FIFO, which is kept', async () => {
    const path = join(folder, 'fifo');
    execFileSync('mkfifo', [path]);
    const { error, got } = await downloadTo(path);
    expect(error).toBeUndefined();
    expect([lstatSync(path).isFIFO(), readdirSync(folder)]).toEqual([true, ['fifo']]);
    expect(await got).toBe('hello parley\n');
  });

  it('keeps the mode of the file that it replaces', async () => {
    const path = join(folder, 'got.txt');
    writeFileSync(path, 'older');
    chmodSync(path, 0o600);
    expect((await download(path, bytes)).error).toBeUndefined();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('leaves no new file if the bytes differ, and keeps the existing one', async () => {
    const path = join(folder, 'got.txt');
    writeFileSync(path, 'older');
    const { error } = await download(path, Buffer.from('hello world!\n'));
    expect(error).toMatchObject({ code: 'UNHEALTHY', exitCode: 8 });
    expect(readdirSync(folder)).toEqual(['got.txt']);
    expect(readFileSync(path, 'utf8')).toBe('older');
  });

  it('is written to stdout, and reports there too if the bytes differ', async () => {
    expect((await download('-', bytes)).out).toBe('hello parley\n');
    await node?.stop();
    expect((await download('-', Buffer.from('x'))).error).toMatchObject({ code: 'UNHEALTHY' });
  });

  it('is refused for data without a file, and if nothing can be written', async () => {
    expect((await download('-', bytes, null)).error).toMatchObject({ code: 'NOT_FOUND' });
    await node?.stop();
    const path = join(folder, 'no', 'such');
    expect((await download(path, bytes)).error).toMatchObject({
      code: 'USAGE',
      message: `${path} cannot be written: there is no such directory.`,
    });
  });
});

describe('the name of a file', () => {
  it.each([
    ['plan.pdf', 'plan.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\temp\\a.txt', 'a.txt'],
    ['.bashrc', 'bashrc'],
    ['-rf', 'rf'],
    ['a\u001b[31m\nb.txt', 'a_[31m_b.txt'],
    ['..', id],
    ['', id],
    ['x'.repeat(300), id],
  ])('%j becomes %j: it came from the network', (name, local) => {
    expect(localName(name, id)).toBe(local);
  });

  it('is the id if there is none', () => {
    expect(localName(undefined, id)).toBe(id);
  });
});
