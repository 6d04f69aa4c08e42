import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSilentLog } from '../../../src/adapters/log/silent.js';
import { parseConfig } from '../../../src/sharedstore/config.js';
import { startStore } from '../../../src/sharedstore/store.js';

export interface OpenStore {
  readonly url: string;
  readonly port: number;
  readonly directory: string;
  dispose(): Promise<void>;
}

/** Opens a store in this process, on a new directory. */
export async function openStore(config: object = {}, failpoints?: string): Promise<OpenStore> {
  const directory = await mkdtemp(join(tmpdir(), 'store-'));
  const full = parseConfig(JSON.stringify({ minFreeBytes: 0, ...config, dataDirectory: directory }));
  const store = await startStore({ config: full, log: createSilentLog(), failpoints });
  return {
    url: store.url,
    port: store.port,
    directory,
    async dispose() {
      await store.stop();
      await rm(directory, { recursive: true });
    },
  };
}

/** Adds bytes as a multipart client does. */
export function add(url: string, bytes: Uint8Array, query = ''): Promise<Response> {
  const form = new FormData();
  form.append('file', new Blob([Buffer.from(bytes)]), 'payload');
  return fetch(`${url}/api/v0/add${query}`, { method: 'POST', body: form });
}

/** Adds bytes and resolves with the CID. */
export async function cidFor(url: string, bytes: Uint8Array): Promise<string> {
  const { Hash } = JSON.parse(await (await add(url, bytes)).text());
  return String(Hash);
}
