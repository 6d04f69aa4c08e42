import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Anvil } from './anvil.js';
import { createAsk, findEngine, freePort } from './engines.js';
import { eventually } from './eventually.js';
import { isRequired } from './services.js';

/** As `.ci/run` builds it below `$PARLEY_ENGINES`. */
const path = 'geth-1.16.9/geth';
const program = findEngine('geth', path);

/** Whether the tests that need geth are skipped, because there is none and nobody demands it. */
export const hasNoGeth = program === undefined && !isRequired('geth');

/** A running geth with a block each second, and its WebSocket on a port of its own. */
export interface Geth extends Omit<Anvil, 'port'> {
  readonly ws: string;
}

/** Starts geth on loopback, without peers, and gives an address a thousand ether. */
export async function startGeth(rich: string): Promise<Geth> {
  if (program === undefined) throw new Error(`No geth: put it on PATH, or below $PARLEY_ENGINES as ${path}.`);
  const directory = mkdtempSync(join(tmpdir(), 'parley-geth-'));
  const [port, wsPort, enginePort] = [await freePort(), await freePort(), await freePort()];
  const alone = ['--nodiscover', '--maxpeers', '0', '--port', '0', '--ipcdisable', '--verbosity', '0'];
  const http = ['--http', '--http.addr', '127.0.0.1', '--http.port', String(port), '--http.api', 'eth,net,web3,debug'];
  const ws = ['--ws', '--ws.addr', '127.0.0.1', '--ws.port', String(wsPort), '--ws.api', 'eth,net,web3'];
  const words = ['--dev', '--dev.period', '1', '--datadir', directory, '--authrpc.port', String(enginePort)];
  const env = { HOME: directory, TMPDIR: tmpdir() };
  const child = spawn(program, [...words, ...alone, ...http, ...ws], { stdio: 'ignore', env });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  const ask = createAsk(url);
  const [owner] = await eventually(() => ask<string[]>('eth_accounts'));
  const value = `0x${(10n ** 21n).toString(16)}`;
  await ask('eth_sendTransaction', { from: owner, to: rich, value });
  await eventually(async () => {
    if ((await ask('eth_getBalance', rich, 'latest')) === '0x0') throw new Error('nothing yet');
  });
  return {
    url,
    ws: `ws://127.0.0.1:${wsPort}`,
    ask,
    async stop() {
      child.kill('SIGKILL');
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}
