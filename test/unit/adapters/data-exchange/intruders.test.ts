import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectPlain } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { maxEnvelopeBytes } from '../../../../src/domain/network/limits.js';
import { PeerError, type PeerReceiver } from '../../../../src/ports/data-exchange.js';
import { aReceiver } from '../../../support/peer-receiver.js';
import { certificates, hashOf, openEnd, openRaw, portIn, portOf } from './open-exchange.js';

/** A receiver that records everything that reaches it. */
function watching(): { readonly receiver: PeerReceiver; readonly reached: string[] } {
  const reached: string[] = [];
  const note = (what: string) => async () => {
    reached.push(what);
    return { status: 'stored' } as const;
  };
  const receiver = {
    receiveEnvelope: note('envelope'),
    offerBlob: note('offer'),
    receiveBlob: note('blob'),
    receiveRequest: note('request'),
  };
  return { receiver, reached };
}

function posted(port: number, path: string, lines: readonly string[], body = ''): string {
  const head = [`POST ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, 'Content-Type: application/json', ...lines];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

const certificateOf = (name: keyof typeof certificates) => ({
  key: certificates[name].key,
  cert: certificates[name].certificate,
});

describe('A connection that is not admitted is cut before any HTTP is answered:', () => {
  test.each([
    ['nobody, without a certificate', {}],
    ['a key that the registry does not name, in a certificate with a member’s name', certificateOf('mallory')],
  ])('%s', async (_, options) => {
    const { receiver, reached } = watching();
    const port = portOf(await openEnd('bob', receiver));
    const raw = await openRaw(port, options);
    raw.socket.write(posted(port, '/envelopes', ['Content-Length: 2'], '{}'));
    await raw.ended;
    expect(raw.text()).toBe('');
    expect(reached).toEqual([]);
  });

  test('with TLS 1.2', async () => {
    const port = portOf(await openEnd('bob'));
    const raw = await openRaw(port, { ...certificateOf('alice'), maxVersion: 'TLSv1.2' });
    await raw.ended;
    expect(raw.socket.authorized).toBe(false);
    expect(raw.text()).toBe('');
  });

  test('with plain HTTP', async () => {
    const { receiver, reached } = watching();
    const port = portOf(await openEnd('bob', receiver));
    const socket = connectPlain(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const received: Buffer[] = [];
    socket.on('data', (chunk) => received.push(chunk)).on('error', () => undefined);
    socket.write(posted(port, '/envelopes', ['Content-Length: 2'], '{}'));
    await new Promise((resolve) => socket.once('close', resolve));
    expect(Buffer.concat(received).toString('latin1')).not.toContain('HTTP');
    expect(reached).toEqual([]);
  });

  test('the thirty-third of one key', async () => {
    const port = portOf(await openEnd('bob'));
    const first = await Promise.all(Array.from({ length: 32 }, () => openRaw(port, certificateOf('alice'))));
    const request = posted(port, '/nowhere', ['Content-Length: 2'], '{}');
    for (const raw of first) raw.socket.write(request);
    await Promise.all(first.map((raw) => raw.until(/404/)));
    const next = await openRaw(port, certificateOf('alice'));
    next.socket.write(request);
    await next.ended;
    expect(next.text()).toBe('');
  });
});

test('no session is resumed: each connection proves its key again', async () => {
  const port = portOf(await openEnd('bob'));
  const sessions: Buffer[] = [];
  const first = await openRaw(port, certificateOf('alice'));
  first.socket.on('session', (session: Buffer) => sessions.push(session));
  first.socket.write(posted(port, '/nowhere', ['Content-Length: 2'], '{}'));
  await first.until(/404/);
  const [session] = sessions;
  const second = await openRaw(port, { ...certificateOf('alice'), ...(session && { session }) });
  expect(second.socket.isSessionReused()).toBe(false);
});

test('a server that proves another key gets nothing but a handshake', async () => {
  const received: Buffer[] = [];
  const { key, certificate: cert } = certificates.mallory;
  const server = createTlsServer({ key, cert, requestCert: true, rejectUnauthorized: false }, (socket) => {
    socket.on('data', (chunk: Buffer) => received.push(chunk)).on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const alice = await openEnd('alice');
  const peer = { publicKeyHash: hashOf('bob'), endpoint: `https://127.0.0.1:${portIn(server.address())}` };
  await expect(alice.send(peer, '{"secret":1}')).rejects.toThrow(PeerError);
  expect(received).toEqual([]);
});

test.each(['', 'http://127.0.0.1:1', 'file:///etc/passwd', 'https://a:b@127.0.0.1:1', 'https://', 'x'.repeat(256)])(
  'an address that a member has chosen badly is nobody’s: %j',
  async (endpoint) => {
    const alice = await openEnd('alice');
    await expect(alice.send({ publicKeyHash: hashOf('bob'), endpoint }, '{}')).rejects.toThrow(PeerError);
  },
);

describe('A member that sends invalid requests', () => {
  async function answerTo(request: (port: number) => string | Buffer): Promise<{ text: string; reached: string[] }> {
    const { receiver, reached } = watching();
    const port = portOf(await openEnd('bob', receiver));
    const raw = await openRaw(port, certificateOf('alice'));
    raw.socket.write(request(port));
    await raw.until(/\r\n\r\n[^]*\}|400 Bad Request/);
    return { text: raw.text(), reached };
  }

  test('that are not HTTP gets an error and is disconnected', async () => {
    const { text, reached } = await answerTo(() => '\0\x01\x02 nonsense\r\n\r\n');
    expect(text).toMatch(/^HTTP\/1\.1 400/);
    expect(reached).toEqual([]);
  });

  test.each([
    ['as long as it says', [`Content-Length: ${maxEnvelopeBytes + 1}`], ''],
    ['without saying how long', ['Transfer-Encoding: chunked'], `${(maxEnvelopeBytes + 1).toString(16)}\r\n`],
  ])('an envelope that is too large, %s, is refused', async (_, lines, body) => {
    const { text, reached } = await answerTo((port) =>
      Buffer.concat([Buffer.from(posted(port, '/envelopes', lines, body)), Buffer.alloc(maxEnvelopeBytes + 1, 'x')]),
    );
    expect(text).toMatch(/^HTTP\/1\.1 413[^]*PY1004/);
    expect(reached).toEqual([]);
  });

  test('that are not UTF-8 is refused', async () => {
    const head = (port: number) => Buffer.from(posted(port, '/envelopes', ['Content-Length: 2']));
    const { text, reached } = await answerTo((port) => Buffer.concat([head(port), Buffer.from([0xff, 0xfe])]));
    expect(text).toMatch(/^HTTP\/1\.1 400[^]*PY1005/);
    expect(reached).toEqual([]);
  });

  const hash = 'a'.repeat(64);
  test.each([
    ['nesting without end', `${'['.repeat(2_000)}`, 'PY1005'],
    ['no JSON', '{"hash"', 'FF10103'],
    ['no hash', `{"hash":"../x","size":1,"source":"${hash}"}`, 'PY1011|FF00107'],
    ['a negative size', `{"hash":"${hash}","size":-1,"source":"${hash}"}`, 'PY1011'],
    ['a missing source', `{"hash":"${hash}","size":1}`, 'FF00112'],
  ])('instead of an offer, %s, is refused', async (_, body, code) => {
    const { text, reached } = await answerTo((port) =>
      posted(port, '/blobs', [`Content-Length: ${Buffer.byteLength(body)}`], body),
    );
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 400[^]*(${code})`));
    expect(reached).toEqual([]);
  });

  test.each([
    ['without its hash', '{}', '400[^]*FF00112'],
    ['with a hash that is none', '{"hash":"../x"}', '400[^]*(PY1011|FF00107)'],
    ['that is too large', `{"hash":"${hash}"}${' '.repeat(4_096)}`, '413[^]*PY1004'],
  ])('a request for a batch, %s, is refused', async (_, body, answer) => {
    const { text, reached } = await answerTo((port) =>
      posted(port, '/requests', [`Content-Length: ${Buffer.byteLength(body)}`], body),
    );
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${answer}`));
    expect(reached).toEqual([]);
  });

  test.each([
    [`/blobs/${hash}?source=${hash}&size=1&start=2`, 400],
    [`/blobs/${hash}?source=${hash}&size=1`, 400],
    [`/blobs/${hash}?source=${hash}&size=1e3&start=0`, 400],
    [`/blobs/${hash}?source=x&size=1&start=0`, 400],
    [`/blobs/..%2f..%2f${hash}?source=${hash}&size=1&start=0`, 415],
  ])('instead of a blob, to %s, is refused', async (path, status) => {
    const { text, reached } = await answerTo((port) => {
      const lines = [`Host: 127.0.0.1:${port}`, 'Content-Type: application/octet-stream', 'Content-Length: 1'];
      return `PUT ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\nx`;
    });
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status}`));
    expect(reached).toEqual([]);
  });

  test('does not disturb others', async () => {
    const bob = await openEnd('bob');
    const raw = await openRaw(portOf(bob), certificateOf('alice'));
    raw.socket.write('\0\0\0\r\n\r\n');
    await raw.ended;
    const alice = await openEnd('alice');
    expect(await alice.send(bob.own, '{}')).toEqual({ status: 'stored' });
  });
});

describe('A peer that stops responding', () => {
  test('before the handshake cannot be reached', async () => {
    const { createServer } = await import('node:net');
    const server = createServer(() => undefined);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const alice = await openEnd('alice', aReceiver(), { connectMs: 50 });
    const peer = { publicKeyHash: hashOf('bob'), endpoint: `https://127.0.0.1:${portIn(server.address())}` };
    await expect(alice.send(peer, '{}')).rejects.toThrow(PeerError);
  });

  test('instead of answering is abandoned', async () => {
    const bob = await openEnd('bob', aReceiver({ receiveEnvelope: () => new Promise(() => undefined) }));
    const alice = await openEnd('alice', aReceiver(), { silenceMs: 50 });
    await expect(alice.send(bob.own, '{}')).rejects.toThrow(PeerError);
    await expect(alice.send(bob.own, '{}'), 'the error names the node').rejects.toThrow(bob.own.endpoint);
  });

  test('in the middle of an envelope does not block the receiver', async () => {
    const bob = await openEnd('bob', aReceiver(), { idleMs: 50 });
    const raw = await openRaw(portOf(bob), certificateOf('alice'));
    raw.socket.write(posted(portOf(bob), '/envelopes', ['Content-Length: 100'], '{'));
    await raw.until(/^HTTP\/1\.1 503/);
    expect(raw.text()).toMatch(/PY1010/);
  });
});

test('a node is identified by the hash of the public key in its certificate', () => {
  const { publicKey } = new X509Certificate(certificates.bob.certificate);
  const expected = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');
  expect(hashOf('bob')).toBe(expected);
});
