import { type ChildProcess, spawn } from 'node:child_process';
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
export interface Geth extends Pick<Anvil, 'url' | 'ask' | 'stop'> {
  readonly ws: string;
  /** Ends it with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again after `kill`, with all of its blocks. */
  restart(): Promise<void>;
}

/** Starts geth on loopback, without peers, and gives an address a thousand ether. */
export async function startGeth(rich: string): Promise<Geth> {
  if (program === undefined) throw new Error(`No geth: put it on PATH, or below $PARLEY_ENGINES as ${path}.`);
  const directory = mkdtempSync(join(tmpdir(), 'parley-geth-'));
  const [port, wsPort, enginePort] = [await freePort(), await freePort(), await freePort()];
  const alone = ['--nodiscover', '--maxpeers', '0', '--port', '0', '--ipcdisable', '--verbosity', '0'];
  const http = ['--http', '--http.addr', '127.0.0.1', '--http.port', String(port), '--http.api', 'eth,net,web3,debug'];
  const ws = ['--ws', '--ws.addr', '127.0.0.1', '--ws.port', String(wsPort), '--ws.api', 'eth,net,web3'];
  // It has all blocks after a SIGKILL: the state of each is written at once, and by LevelDB. Its usual database keeps
  // up to 32 KiB of writes in the memory of the process, eight empty blocks, more than the confirmations here.
  const kept = ['--datadir', directory, '--state.scheme', 'hash', '--gcmode', 'archive', '--db.engine', 'leveldb'];
  const words = ['--dev', '--dev.period', '1', ...kept, '--authrpc.port', String(enginePort), ...alone, ...http, ...ws];
  let child: ChildProcess;
  let ended: Promise<void>;
  const url = `http://127.0.0.1:${port}`;
  const ask = createAsk(url);
  const begin = async (): Promise<void> => {
    child = spawn(program, words, { stdio: 'ignore', env: { HOME: directory, TMPDIR: tmpdir() } });
    ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    await eventually(() => ask('eth_chainId'));
  };
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  await begin();
  const [owner] = await ask<string[]>('eth_accounts');
  const value = `0x${(10n ** 21n).toString(16)}`;
  await ask('eth_sendTransaction', { from: owner, to: rich, value });
  await eventually(async () => {
    if ((await ask('eth_getBalance', rich, 'latest')) === '0x0') throw new Error('nothing yet');
  });
  return {
    url,
    ws: `ws://127.0.0.1:${wsPort}`,
    ask,
    kill,
    restart: begin,
    async stop() {
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
