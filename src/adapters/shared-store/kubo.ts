import { randomUUID } from 'node:crypto';
import { type SharedStore, StoreError } from '../../ports/shared-store.js';

export interface KuboStoreOptions {
  /** The RPC API, such as `http://127.0.0.1:5001`. */
  readonly apiUrl: string;
  /** The gateway, such as `http://127.0.0.1:8080`. */
  readonly gatewayUrl: string;
  readonly fetch?: typeof fetch;
  /** For one request, from its beginning to its last byte. */
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 30_000;
const maxReplyBytes = 65_536;
/** Names of any CID version and base; everything else never reaches a URL. */
const contentName = /^[A-Za-z0-9]{1,128}$/;

/** The shared store behind Kubo's RPC API (`add`) and gateway (`/ipfs/…`): a Kubo node's, or our own program's. */
export function createKuboStore(options: KuboStoreOptions): SharedStore {
  const { apiUrl, gatewayUrl, fetch: send = fetch, timeoutMs = defaultTimeoutMs } = options;
  const addUrl = new URL('/api/v0/add?cid-version=0&pin=true&quieter=true', apiUrl);
  const contentUrl = (name: string): URL => new URL(`/ipfs/${name}`, gatewayUrl);

  async function request(url: URL, maxBytes: number, init: RequestInit, signal?: AbortSignal): Promise<Uint8Array> {
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
      const response = await send(url, { ...init, signal: either });
      if (!response.ok) throw await refusalOf(response);
      return await bytesOf(response, maxBytes);
    } catch (cause) {
      if (cause instanceof StoreError) throw cause;
      signal?.throwIfAborted();
      if (timeout.aborted) throw new StoreError('later', 'The shared store did not answer in time.', { cause });
      throw new StoreError('unreachable', 'The shared store cannot be reached.', { cause });
    }
  }

  return {
    async put(bytes) {
      const { contentType, body } = multipartOf(bytes);
      const reply = await request(addUrl, maxReplyBytes, {
        method: 'POST',
        headers: { 'content-type': contentType },
        body,
      });
      return nameIn(Buffer.from(reply).toString('utf8'));
    },

    async get(reference, { maxBytes, signal }) {
      signal?.throwIfAborted();
      if (!contentName.test(reference)) throw new StoreError('not_found', 'The reference is no name of any content.');
      return request(contentUrl(reference), maxBytes, { headers: { accept: 'application/octet-stream' } }, signal);
    },
  };
}

function multipartOf(bytes: Uint8Array): { contentType: string; body: Uint8Array<ArrayBuffer> } {
  const boundary = randomUUID();
  const head =
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="payload"\r\n` +
    'Content-Type: application/octet-stream\r\n\r\n';
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return { contentType: `multipart/form-data; boundary=${boundary}`, body };
}

async function refusalOf(response: Response): Promise<StoreError> {
  await response.body?.cancel();
  const isAbsent = response.status === 404 || response.status === 410;
  return new StoreError(isAbsent ? 'not_found' : 'later', `The shared store answered ${response.status}.`);
}

async function bytesOf(response: Response, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = new StoreError('too_large', `The content has more than ${maxBytes} bytes.`);
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  if (Number(response.headers.get('content-length')) > maxBytes) {
    await response.body?.cancel();
    throw tooLarge;
  }
  for await (const chunk of response.body ?? []) {
    const bytes = bytesIn(chunk);
    sizeBytes += bytes.length;
    if (sizeBytes > maxBytes) throw tooLarge;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

function bytesIn(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  throw new TypeError('the body of an answer is a stream of bytes');
}

/** The last line of a reply to `add` is about the whole: `{"Name","Hash","Size"}`. */
function nameIn(reply: string): string {
  const hash = /"Hash"\s*:\s*"([A-Za-z0-9]{1,128})"[^\n]*\s*$/.exec(reply)?.[1];
  if (hash === undefined) throw new StoreError('later', 'The shared store gave no name to what was added.');
  return hash;
}
