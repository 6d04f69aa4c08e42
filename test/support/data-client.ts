import { createHash } from 'node:crypto';
import type { TestNode } from './node.js';

export interface Item {
  readonly id: string;
  readonly hash: string;
  readonly value: unknown;
  readonly validator: string;
  readonly public?: string;
  readonly blob?: {
    readonly hash: string;
    readonly size: number;
    readonly name?: string;
    readonly path?: string;
    readonly public?: string;
  };
}

/** A field, or a file with its bytes, name and type. */
type FormPart = string | readonly [Uint8Array | string, string, string?];
export type FormParts = Readonly<Record<string, FormPart>>;

export interface DataClient {
  call(path: string, options?: RequestInit): Promise<Response>;
  post(path: string, body: string): Promise<Response>;
  postForm(parts: FormParts): Promise<Response>;
  /** Uploads a form; returns the item. Throws the response if it is refused. */
  upload(parts: FormParts): Promise<Item>;
  download(id: string, headers?: Record<string, string>): Promise<Buffer>;
}

/** A client for data routes that does not use this project's client. */
export function createDataClient({ url }: Pick<TestNode, 'url'>): DataClient {
  const client: DataClient = {
    call: (path, options) => fetch(`${url}/api/v1/namespaces/default/${path}`, options),
    post: (path, body) => client.call(path, { method: 'POST', body, headers: { 'content-type': 'application/json' } }),
    postForm: (parts) => client.call('data', { method: 'POST', body: formOf(parts) }),
    async upload(parts) {
      const response = await client.postForm(parts);
      if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
      return (await response.json()) as Item;
    },
    download: async (id, headers = {}) =>
      Buffer.from(await (await client.call(`data/${id}/blob`, { headers })).arrayBuffer()),
  };
  return client;
}

/** Builds a form with its parts in this order. */
export function formOf(parts: FormParts): FormData {
  const form = new FormData();
  for (const [name, part] of Object.entries(parts)) {
    if (typeof part === 'string') {
      form.append(name, part);
      continue;
    }
    const [bytes, filename, type = ''] = part;
    form.append(name, new Blob([Buffer.from(bytes)], { type }), filename);
  }
  return form;
}

/** Returns status and code of a refusal. */
export async function refusal(response: Promise<Response>): Promise<string> {
  const settled = await response;
  return `${settled.status} ${/(?:FF|PY)\d+/.exec(await settled.text())?.[0] ?? ''}`;
}

export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
