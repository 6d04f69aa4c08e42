import { randomUUID } from 'node:crypto';
import { type SharedStore, StoreError } from '../../ports/shared-store.js';
import { createExchange, type HttpMessage } from './exchange.js';

export interface KuboStoreOptions {
  /** The RPC API, such as `http://127.0.0.1:5001`. */
  readonly apiUrl: string;
  /** The gateway, such as `http://127.0.0.1:8080`. */
  readonly gatewayUrl: string;
  /** For one request, from its beginning to its last byte. */
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 30_000;
const maxReplyBytes = 65_536;
/** Names of any CID version and base; everything else never reaches a URL. */
const contentName = /^[A-Za-z0-9]{1,128}$/;

/** The shared store behind Kubo's RPC API (`add`) and gateway (`/ipfs/…`): a Kubo node's, or our own program's. */
export function createKuboStore(options: KuboStoreOptions): SharedStore {
  const { apiUrl, gatewayUrl, timeoutMs = defaultTimeoutMs } = options;
  const addUrl = new URL('/api/v0/add?cid-version=0&pin=true&quieter=true', apiUrl);
  const contentUrl = (name: string): URL => new URL(`/ipfs/${name}`, gatewayUrl);
  const exchange = createExchange(timeoutMs);

  async function request(message: HttpMessage): Promise<Uint8Array> {
    const { status, bytes } = await exchange(message);
    if (status === 404 || status === 410) throw new StoreError('not_found', `The shared store answered ${status}.`);
    if (status !== 200) throw new StoreError('later', `The shared store answered ${status}.`);
    return bytes;
  }

  return {
    async put(bytes) {
      const { contentType, body } = multipartOf(bytes);
      const headers = { 'content-type': contentType, 'content-length': body.length };
      const reply = await request({ url: addUrl, method: 'POST', headers, body, maxBytes: maxReplyBytes });
      return nameIn(Buffer.from(reply).toString('utf8'));
    },

    async get(reference, { maxBytes, signal }) {
      signal?.throwIfAborted();
      if (!contentName.test(reference)) throw new StoreError('not_found', 'The reference is no name of any content.');
      const headers = { accept: 'application/octet-stream' };
      return request({ url: contentUrl(reference), method: 'GET', headers, maxBytes, signal });
    },
  };
}

function multipartOf(bytes: Uint8Array): { contentType: string; body: Buffer } {
  const boundary = randomUUID();
  const head =
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="payload"\r\n` +
    'Content-Type: application/octet-stream\r\n\r\n';
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return { contentType: `multipart/form-data; boundary=${boundary}`, body };
}

/** The last line of a reply to `add` is about the whole: `{"Name","Hash","Size"}`. */
function nameIn(reply: string): string {
  const hash = /"Hash"\s*:\s*"([A-Za-z0-9]{1,128})"[^\n]*\s*$/.exec(reply)?.[1];
  if (hash === undefined) throw new StoreError('later', 'The shared store gave no name to what was added.');
  return hash;
}
