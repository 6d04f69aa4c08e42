import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createAnvilEngine } from '../../../../src/devchain/engine/anvil.js';
import { genesis } from '../support.js';

/** A program with the beginning of Anvil's output and one answer, which records its pid. */
const program = `#!${process.execPath}
const { appendFileSync } = require('node:fs');
const block = { number: '0x0', hash: '0x0', timestamp: '0x0', transactions: [], gasUsed: '0x0', gasLimit: '0x1' };
const answer = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { ...block, baseFeePerGas: '0x0' } });
const server = require('node:http').createServer((_, response) => response.end(answer));
server.listen(0, '127.0.0.1', () => {
  appendFileSync(__dirname + '/pids', process.pid + ' ');
  console.log('Listening on 127.0.0.1:' + server.address().port);
});
`;

/** Creates an engine whose program is this text, in a directory of its own. */
function engineOf(text: string) {
  const directory = mkdtempSync(join(tmpdir(), 'anvil-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'anvil');
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  const engine = createAnvilEngine({ program: file, directory, fail: (error) => expect.unreachable(error.message) });
  onTestFinished(() => engine.stop());
  return { engine, directory };
}

test('a new chain ends the process of the one before it', async () => {
  const { engine, directory } = engineOf(program);
  for (let chains = 1; chains <= 3; chains += 1) {
    expect((await engine.newChain(genesis)).head()).toMatchObject({ number: 0 });
    const pids = readFileSync(join(directory, 'pids'), 'utf8').trim().split(' ').map(Number);
    expect(pids.map(isRunning)).toEqual(pids.map((_, index) => index === chains - 1));
  }
});

test('a program that does not start is reported with the beginning of what it says', async () => {
  const { engine } = engineOf(
    "#!/bin/sh\necho 'error: no such option' >&2\nsleep 0.1\necho 'See --help.' >&2\nexit 2\n",
  );
  await expect(engine.newChain(genesis)).rejects.toThrow(/did not start: error: no such option/);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
