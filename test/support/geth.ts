import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Anvil } from './anvil.js';
import { createAsk, findEngine, freePort } from './engines.js';
import { eventually } from './eventually.js';
import { isRequired } from './services.js';

/** Path as `.ci/run` builds it below `$PARLEY_ENGINES`. */
const path = 'geth-1.16.9/geth';
const program = findEngine('geth', path);

/** Whether tests that need geth are skipped, because it is missing and not required. */
export const hasNoGeth = program === undefined && !isRequired('geth');

/** A running geth that mines a block each second. Its WebSocket has a separate port. */
export interface Geth extends Pick<Anvil, 'url' | 'ask' | 'stop'> {
  readonly ws: string;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again after `kill`, with all its blocks. */
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
  // No block is lost after a SIGKILL: the state of each is written at once, to LevelDB. The default database keeps up
  // to 32 KiB of writes in memory, which is eight empty blocks, more than the confirmations here.
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
