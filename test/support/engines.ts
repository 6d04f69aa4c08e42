import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

const caches = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
/** The folder of external engines. */
export const enginesFolder = process.env['PARLEY_ENGINES'] ?? join(caches, 'parley', 'engines');

/** Finds an external program below `$PARLEY_ENGINES` or on PATH; undefined if missing. */
export function findEngine(name: string, path: string): string | undefined {
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map((directory) => join(directory, name));
  return [join(enginesFolder, path), ...onPath].find((each) => existsSync(each));
}

/** Returns a loopback port that is free now. */
export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/** Calls a chain by JSON-RPC; rejects with the message of an error response. */
export type Ask = <T>(method: string, ...parameters: readonly unknown[]) => Promise<T>;

export function createAsk(url: string): Ask {
  return async <T>(method: string, ...params: readonly unknown[]): Promise<T> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const answer = (await response.json()) as { readonly result?: T; readonly error?: { readonly message: string } };
    if (answer.error !== undefined) throw new Error(answer.error.message);
    return answer.result as T;
  };
}
