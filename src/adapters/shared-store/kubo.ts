import { randomUUID } from 'node:crypto';
import { type SharedStore, StoreError } from '../../ports/shared-store.js';
import { createStoreExchange, type StreamAnswer } from './exchange.js';

export interface KuboStoreOptions {
  /** The RPC API, such as `http://127.0.0.1:5001`. */
  readonly apiUrl: string;
  /** The gateway, such as `http://127.0.0.1:8080`. */
  readonly gatewayUrl: string;
  /** The `authorization` header for the API, and for a gateway on the same host. */
  readonly authorization?: string | undefined;
  /** Limit for one request, from its beginning to its last byte. */
  readonly timeoutMs?: number;
  /** Limit for a stream without a byte in either direction. */
  readonly idleMs?: number;
}

const defaultTimeoutMs = 30_000;
/** Longer than a disk takes to sync large data. */
const defaultIdleMs = 120_000;
const maxReplyBytes = 65_536;
/**
 * States everything that a CID depends on, since an IPFS node has settings (`Import.*`) for values that are not given.
 */
const addParameters =
  'cid-version=0&hash=sha2-256&chunker=size-262144&raw-leaves=false&trickle=false&inline=false&max-file-links=174' +
  '&wrap-with-directory=false&pin=true&quieter=true';
/** Names in any CID version and base; anything else never becomes part of a URL. */
const contentName = /^[A-Za-z0-9]{1,128}$/;

/**
 * Creates the shared store behind Kubo's RPC API (`add`) and gateway (`/ipfs/…`): of a Kubo node, or of Parley's own
 * store.
 */
export function createKuboStore(options: KuboStoreOptions): SharedStore {
  const { apiUrl, gatewayUrl, timeoutMs = defaultTimeoutMs, idleMs = defaultIdleMs } = options;
  const authorization = options.authorization === undefined ? {} : { authorization: options.authorization };
  const ofGateway = isSameHost(apiUrl, gatewayUrl) ? authorization : {};
  const addUrl = new URL(`/api/v0/add?${addParameters}`, apiUrl);
  const contentUrl = (name: string): URL => new URL(`/ipfs/${name}`, gatewayUrl);
  const exchange = createStoreExchange(timeoutMs, idleMs);

  async function request(...asked: Parameters<typeof exchange.whole>): Promise<Uint8Array> {
    const { status, bytes } = await exchange.whole(...asked);
    if (status !== 200) throw refusal(status, bytes);
    return bytes;
  }

  return {
    async put(bytes) {
      const { contentType, body } = multipartOf(bytes);
      const headers = { ...authorization, 'content-type': contentType };
      const reply = await request({ url: addUrl, method: 'POST', headers, body }, maxReplyBytes);
      return nameIn(Buffer.from(reply).toString('utf8'));
    },

    async get(reference, { maxBytes, signal }) {
      signal?.throwIfAborted();
      if (!contentName.test(reference))
        throw new StoreError('not_found', 'The reference is not the name of any content.');
      const headers = { ...ofGateway, accept: 'application/octet-stream' };
      return request({ url: contentUrl(reference), headers, signal }, maxBytes);
    },

    async putStream(bytes, signal) {
      signal?.throwIfAborted();
      const { contentType, head, tail } = frameOf();
      const headers = { ...authorization, 'content-type': contentType };
      const body = framed(head, bytes, tail);
      const answer = await exchange.stream({ url: addUrl, method: 'POST', headers, body, signal });
      const reply = Buffer.concat(await chunksOf(answer.body, maxReplyBytes));
      if (answer.status !== 200) throw refusal(answer.status, reply);
      return nameIn(reply.toString('utf8'));
    },

    async *getStream(reference, { maxBytes, start, signal }) {
      signal?.throwIfAborted();
      if (!contentName.test(reference))
        throw new StoreError('not_found', 'The reference is not the name of any content.');
      const headers = {
        ...ofGateway,
        accept: 'application/octet-stream',
        ...(start > 0 && { range: `bytes=${start}-` }),
      };
      const answer = await exchange.stream({ url: contentUrl(reference), headers, signal });
      yield* contentOf(answer, start, maxBytes);
    },
  };
}

/** Whether both have the same host and protocol: no other server may learn a secret of the API. */
function isSameHost(apiUrl: string, gatewayUrl: string): boolean {
  const [api, gateway] = [new URL(apiUrl), new URL(gatewayUrl)];
  return api.hostname === gateway.hostname && api.protocol === gateway.protocol;
}

/**
 * Kubo answers a full disk with 500 and the system's message. Only that one is passed on, since messages have names of
 * temporary files: each attempt would store another error.
 */
function refusal(status: number, reply: Uint8Array): StoreError {
  const reason = status === 404 || status === 410 ? 'not_found' : 'later';
  const isFull = status >= 500 && Buffer.from(reply).includes('no space left on device');
  return new StoreError(reason, `The shared store answered ${status}${isFull ? ': its disk is full' : ''}.`);
}

/** Yields the content from `start`, whether the gateway supports ranges or not. */
async function* contentOf(answer: StreamAnswer, start: number, maxBytes: number): AsyncGenerator<Uint8Array> {
  const { status, headers, body } = answer;
  if (status !== 200 && status !== 206) {
    const reply = Buffer.concat(await chunksOf(body, maxReplyBytes));
    // There is nothing after that position: the reader has everything.
    if (status === 416) return;
    throw refusal(status, reply);
  }
  const isPart = status === 206;
  if (isPart && !new RegExp(`^bytes ${start}-`).test(headers['content-range'] ?? '')) {
    throw new StoreError('later', 'The shared store answered with another range than requested.');
  }
  let position = isPart ? start : 0;
  for await (const chunk of body) {
    const wanted = chunk.subarray(Math.max(0, start - position));
    position += chunk.length;
    if (position > maxBytes) throw new StoreError('too_large', `The content has more than ${maxBytes} bytes.`);
    if (wanted.length > 0) yield wanted;
  }
}

async function chunksOf(bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of bytes) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) break;
    chunks.push(chunk);
  }
  return chunks;
}

function multipartOf(bytes: Uint8Array): { contentType: string; body: Buffer } {
  const { contentType, head, tail } = frameOf();
  return { contentType, body: Buffer.concat([head, bytes, tail]) };
}

/** The bytes before and after the content in a body with one file. */
function frameOf(): { contentType: string; head: Buffer; tail: Buffer } {
  const boundary = randomUUID();
  const head =
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="payload"\r\n` +
    'Content-Type: application/octet-stream\r\n\r\n';
  const contentType = `multipart/form-data; boundary=${boundary}`;
  return { contentType, head: Buffer.from(head), tail: Buffer.from(`\r\n--${boundary}--\r\n`) };
}

async function* framed(
  head: Uint8Array,
  bytes: AsyncIterable<Uint8Array>,
  tail: Uint8Array,
): AsyncGenerator<Uint8Array> {
  yield head;
  yield* bytes;
  yield tail;
}

/** The last line of a response to `add` describes the whole: `{"Name","Hash","Size"}`. */
function nameIn(reply: string): string {
  // Split off, since a pattern for the last line would take seconds on a reply of spaces.
  const lastLine = reply.trimEnd().split('\n').at(-1) ?? '';
  const hash = /"Hash"\s*:\s*"([A-Za-z0-9]{1,128})"/.exec(lastLine)?.[1];
  if (hash === undefined) throw new StoreError('later', 'The shared store returned no name for the added content.');
  return hash;
}
