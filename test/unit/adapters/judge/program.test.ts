import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { threadProgram } from '../../../../src/adapters/judge/program.js';

let built: string;
let folder: string;

beforeEach(async () => {
  built = await mkdtemp(join(tmpdir(), 'built-'));
  folder = join(built, 'adapters', 'judge');
  await mkdir(folder, { recursive: true });
  onTestFinished(() => rm(built, { recursive: true }));
});

const program = () =>
  threadProgram(pathToFileURL(join(folder, 'worker.js')).href)
    .pathname.split('/')
    .pop();

async function written(path: string, seconds: number): Promise<void> {
  await writeFile(path, '');
  await utimes(path, seconds, seconds);
}

it('is the one file where that is there', async () => {
  expect(program()).toBe('thread.js');
  await written(join(folder, 'thread.mjs'), 100);
  expect(program()).toBe('thread.mjs');
});

it('is not the one file where the compiler has run since', async () => {
  await written(join(folder, 'thread.mjs'), 100);
  await written(join(built, '.tsbuildinfo'), 100);
  expect(program()).toBe('thread.mjs');
  await written(join(built, '.tsbuildinfo'), 200);
  expect(program()).toBe('thread.js');
});
