import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export interface AnvilProcess {
  /** Its own address, on loopback. */
  readonly url: string;
  /** Resolves when it has ended, with how. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

const listening = /^Listening on (127\.0\.0\.1:\d+)$/;

/**
 * Starts Anvil on any free port. It dies with this process, however that ends: a guard, the smallest of which is a
 * shell, sees the end of its own standard input.
 *
 * @throws Error if it cannot be started, or does not listen
 */
export async function startAnvilProcess(program: string, words: readonly string[]): Promise<AnvilProcess> {
  const child = spawn(program, [...words, '--host', '127.0.0.1', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { NO_COLOR: '1' },
  });
  const ended = endOf(child);
  const trouble: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => trouble.splice(0, trouble.length, text.trim()));
  const place = await Promise.race([placeIn(child.stdout), ended.then(() => undefined)]);
  if (place === undefined || child.pid === undefined) {
    child.kill('SIGKILL');
    throw new Error(`Anvil (${program}) does not start: ${trouble.at(-1) ?? (await ended)}`);
  }
  const guard = spawn('/bin/sh', ['-c', 'read -r line; kill -s KILL "$1"', 'sh', String(child.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {},
  });
  guard.stdin.on('error', () => undefined);
  await once(guard, 'spawn');
  return {
    url: `http://${place}`,
    ended,
    async stop() {
      guard.kill('SIGKILL');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : String(signal)));
  });
}

/** Reads what it prints to the line with its place; the rest is thrown away as it comes. */
function placeIn(output: Readable): Promise<string | undefined> {
  return new Promise((resolve) => {
    createInterface({ input: output })
      .on('line', (line) => {
        const [, place] = listening.exec(line.trim()) ?? [];
        if (place !== undefined) resolve(place);
      })
      .on('close', () => resolve(undefined));
  });
}
