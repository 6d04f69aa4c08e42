import { connect as connectPlain, type NetConnectOpts, type Socket } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import fc from 'fast-check';

/** A raw request, and whether its sender disconnects before the answer. */
export interface HostileRequest {
  readonly text: string;
  readonly leaves: boolean;
}

const methods = ['GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'PRI'];
const versions = ['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/9.9', 'HTTP/2.0', 'http/1.1', ''];

/** Targets that make URL parsers throw or disagree. */
const brokenTargets = [
  '//',
  '///',
  '//\\\\',
  '/\\',
  '//[',
  '//[::1',
  '//a@[',
  '//a@[#',
  '/#',
  '/?#',
  '/#//a@[',
  '//:99999/',
  '//%',
  '?',
  '*',
  'a:b',
  'http://',
  'http://[',
  'http://127.0.0.1',
  'https://x:99999/',
  'file:///etc/passwd',
  '\\\\host\\x',
  '/%',
  '/%zz',
  '/%00',
  '/%ff',
  '/%c0%af',
  '/..',
  '/../../..//',
  '/.//',
  '/\u00e0',
  '/\u00a0',
  '/a b',
  '/\t',
  '/\u0001',
  `/${'a'.repeat(15_000)}`,
  `/${'/'.repeat(15_000)}`,
  `/?${'&'.repeat(15_000)}`,
  `/?${'a[]=%&'.repeat(2_000)}`,
];

/** Targets that some listener serves, with invalid parts. */
const knownTargets = [
  '/',
  '/health',
  '/status',
  '/status/stream',
  '/livez',
  '/metrics',
  '/api',
  '/api/v1/status',
  '/api/v0/version',
  '/logs?lines=%',
  '/logs?lines=-1',
  '/logs?lines=1e999',
  '/logs?service=%2e%2e/x&follow=true',
  '/logs?lines=NaN&lines=',
  '/services/%/start',
  '/services/__proto__/start',
  '/services//stop',
  '/services/constructor/restart',
  '/api/v1/namespaces/%/messages',
  '/api/v1/namespaces/%ff/ws',
  '/api/v1/messages?%',
  '/api/v1/messages/%2e%2e',
  '/api/v1/messages?tag=%ff&limit=%00',
  '/api/v1/did:parley:org/',
  '/api/v1/__proto__',
  '/api/v1//messages',
  '/ws',
  '/ws?name=%ff',
  '/ws?filter.events=%5b&ephemeral',
  '/ws?namespace=%00&name=a',
  '/ws/..',
  '/ws?__proto__=1',
  '/api/v0/cat?arg=%',
  '/api/v0/cat?arg=%00',
  '/api/v0/add?progress=%ff',
  '/ipfs/%',
  '/ipfs/..%2f..',
  '/ipfs/__proto__',
  '/envelopes',
  '/blobs',
  `/blobs/${'0'.repeat(64)}?size=-1&start=%`,
  `/blobs/${'0'.repeat(64)}?size=1&start=9e9`,
];

const headers = [
  'Host: 127.0.0.1',
  'Host: [',
  'Host: //a@[',
  'Host:',
  'X: \u0000',
  ': x',
  'X',
  ' folded',
  `X: ${'x'.repeat(20_000)}`,
  'Origin: null',
  'Origin: http://[',
  'Content-Type: application/json',
  'Content-Type: multipart/form-data',
  'Cookie: %',
  'Content-Length: -1',
  'Content-Length: 5',
  'Content-Length: 99999999999999999999',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: chunked, x',
  'Content-Encoding: gzip',
  'Expect: 100-continue',
  'Expect: 200-maybe',
  'Authorization: Basic %',
  'Authorization: Bearer',
  `Authorization: Basic ${'/'.repeat(5_000)}`,
  'Range: bytes=-',
  'Range: bytes=9-1,%',
  'Request-Timeout: -1',
  'Request-Timeout: \u00ff',
  'X-FireFly-Request-ID: \u00ff\u0080',
  'Connection: close',
  'Connection: upgrade, close',
  'Keep-Alive: %',
  'Sec-Fetch-Site: x',
  'If-None-Match: %',
];
const handshakes = [
  [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ],
  ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 99', 'Sec-WebSocket-Key: %'],
  ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Extensions: ;;;=', 'Sec-WebSocket-Protocol: ,,'],
  ['Connection: Upgrade', 'Upgrade: websocket'],
  ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: %'],
  ['Connection: Upgrade', 'Upgrade: \u00ff'],
  ['Upgrade: websocket, h2c'],
];
const bodies = [
  '',
  '',
  '',
  '{',
  '\u0000\u0001\u0002',
  '5\r\nabc',
  'ffffffffffffffff\r\n',
  '0\r\n\r\n',
  'GET // HTTP/1.1\r\n\r\n',
];

/**
 * Requests that no well-behaved client makes: every broken target with and without each kind of handshake, then random
 * combinations by seed. `ownHost` is a name that the listener accepts.
 */
export function hostileRequests(ownHost: string, count = 200, seed = 11): HostileRequest[] {
  const targets = [...brokenTargets, ...knownTargets];
  const plain = targets.flatMap((target) =>
    [[], ...handshakes].map((handshake) =>
      requestOf('GET', target, 'HTTP/1.1', [`Host: ${ownHost}`, ...handshake], ''),
    ),
  );
  const mixed = fc.record({
    method: fc.constantFrom(...methods),
    target: fc.oneof(
      fc.constantFrom(...targets),
      fc.string({ unit: 'binary-ascii', maxLength: 40 }).map((path) => `/${path}`),
    ),
    version: fc.constantFrom(...versions),
    host: fc.constantFrom([`Host: ${ownHost}`], [`Host: ${ownHost}`], [], ['Host: evil.test']),
    more: fc.subarray(headers, { maxLength: 4 }),
    handshake: fc.oneof(fc.constant([]), fc.constantFrom(...handshakes)),
    body: fc.constantFrom(...bodies),
    leaves: fc.boolean(),
  });
  const sampled = fc.sample(mixed, { numRuns: count, seed }).map(({ method, target, version, leaves, ...rest }) => ({
    text: requestOf(method, target, version, [...rest.host, ...rest.more, ...rest.handshake], rest.body),
    leaves,
  }));
  return [...plain.map((text) => ({ text, leaves: false })), ...sampled];
}

function requestOf(method: string, target: string, version: string, lines: readonly string[], body: string): string {
  return `${[`${method} ${target} ${version}`, ...lines, '', ''].join('\r\n')}${body}`;
}

export interface Onslaught {
  /** Number of answered requests; the others were closed without an answer. */
  readonly answered: number;
  /** Requests answered with an internal error. */
  readonly failed: readonly string[];
  /** Errors that reached the process. */
  readonly defects: readonly unknown[];
}

/** The result if the listener is unharmed. */
export const unharmed = { answered: expect.any(Number), failed: [], defects: [] };

const maxAtOnce = 25;
/** Short, because many requests get no answer; on a slow machine some answers are lost. */
const maxSilenceMs = 250;

/** Sends each request over its own connection, many at once, and collects the results. */
export async function sendHostile(
  requests: readonly HostileRequest[],
  where: NetConnectOpts | (() => Promise<Socket>),
): Promise<Onslaught> {
  const defects: unknown[] = [];
  const note = (error: unknown): void => void defects.push(error);
  process.on('uncaughtException', note).on('unhandledRejection', note);
  onTestFinished(() => void process.off('uncaughtException', note).off('unhandledRejection', note));
  const open = typeof where === 'function' ? where : () => Promise.resolve(connectPlain(where));
  const failed: string[] = [];
  let answered = 0;
  const left = [...requests];
  const sendAll = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const answer = await sendOne(await open(), next);
      if (answer.startsWith('HTTP/1.1 ')) answered += 1;
      if (answer.startsWith('HTTP/1.1 500')) failed.push(next.text.slice(0, 200));
    }
  };
  await Promise.all(Array.from({ length: maxAtOnce }, sendAll));
  return { answered, failed, defects };
}

/** Resolves with the start of the answer once the connection is closed. */
function sendOne(socket: Socket, { text, leaves }: HostileRequest): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const leave = (): void => void socket.destroy();
    const silence = setTimeout(leave, maxSilenceMs);
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
      leave();
    });
    socket.on('error', leave);
    socket.once('close', () => {
      clearTimeout(silence);
      resolve(answer);
    });
    socket.write(Buffer.from(text, 'latin1'), () => {
      if (leaves) leave();
    });
  });
}
