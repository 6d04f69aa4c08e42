import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export interface AnvilProcess {
  /** The address of its JSON-RPC endpoint, on loopback. */
  readonly url: string;
  /** Resolves when the process ends, with its exit code or signal in words. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

/** The beginning of its standard error has the reason why it does not start. */
const maxSaidCharacters = 4_096;
const listening = /^Listening on (127\.0\.0\.1:\d+)$/;

/**
 * Starts Anvil on any free port. It cannot outlive this process: a guard, a shell whose standard input closes when this
 * process dies, kills it.
 *
 * @throws Error if it cannot be started, or does not listen
 */
export async function startAnvilProcess(program: string, args: readonly string[]): Promise<AnvilProcess> {
  const child = spawn(program, [...args, '--host', '127.0.0.1', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { NO_COLOR: '1' },
  });
  const ended = exitOf(child);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(0, maxSaidCharacters)));
  const guard = child.pid === undefined ? undefined : guardOf(child.pid);
  const stop = async (): Promise<void> => {
    guard?.kill('SIGKILL');
    child.kill('SIGKILL');
    await ended;
  };
  try {
    if (guard !== undefined) await once(guard, 'spawn');
    const address = await Promise.race([readAddress(child.stdout), ended.then(() => undefined)]);
    if (address !== undefined) return { url: `http://${address}`, ended, stop };
  } catch (cause) {
    await stop();
    throw new Error(`The guard of Anvil (${program}) did not start.`, { cause });
  }
  await stop();
  throw new Error(`Anvil (${program}) did not start: ${said.trim() || (await ended)}`);
}

/** Starts the guard of a process. */
function guardOf(pid: number): ChildProcess {
  const guard = spawn('/bin/sh', ['-c', 'read -r line; kill -s KILL "$1"', 'sh', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {},
  });
  guard.stdin.on('error', () => undefined);
  return guard;
}

function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : String(signal)));
  });
}

/** Reads the output up to the line with the address, and discards the rest as it arrives. */
function readAddress(output: Readable): Promise<string | undefined> {
  return new Promise((resolve) => {
    createInterface({ input: output })
      .on('line', (line) => {
        const [, address] = listening.exec(line.trim()) ?? [];
        if (address !== undefined) resolve(address);
      })
      .on('close', () => resolve(undefined));
  });
}
