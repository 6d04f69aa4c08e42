import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { create } from 'kubo-rpc-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawRequest, requestText } from '../../http/raw-request.js';
import { add, cidFor, type OpenStore, openStore } from '../open-store.js';

const helloCid = 'QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o';
const absentCid = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG';
let store: OpenStore;

beforeAll(async () => {
  store = await openStore();
});
afterAll(() => store.dispose());

async function contents({ directory }: OpenStore): Promise<string[]> {
  return readdir(join(directory, 'content')).catch(() => []);
}

describe('add', () => {
  it("answers in Kubo's format, with the CID that Kubo gives", async () => {
    const answer = await add(store.url, Buffer.from('hello world\n'), '?cid-version=0&pin=true&quiet=true');
    expect(answer.headers.get('content-type')).toContain('application/json');
    const text = await answer.text();
    expect(text.endsWith('}\n')).toBe(true);
    expect(JSON.parse(text)).toEqual({ Name: 'payload', Hash: helloCid, Size: '20' });
  });

  it('reports progress on a separate line if requested', async () => {
    const text = await (await add(store.url, Buffer.from('hello world\n'), '?progress=true')).text();
    const lines = text.trim().split('\n');
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      { Name: 'payload', Bytes: 12 },
      { Name: 'payload', Hash: helloCid, Size: '20' },
    ]);
  });

  it.each(['cid-version=1', 'raw-leaves=true', 'wrap-with-directory=true', 'only-hash=true', 'chunker=rabin'])(
    'refuses %s, which would change the CID',
    async (parameter) => {
      const before = await contents(store);
      const answer = await add(store.url, Buffer.from('refused'), `?${parameter}`);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toEqual({ Message: expect.any(String), Code: 0, Type: 'error' });
      expect(await contents(store)).toEqual(before);
    },
  );

  it('adds nothing if less than minFreeBytes of the disk is free', async () => {
    const full = await openStore({ minFreeBytes: Number.MAX_SAFE_INTEGER });
    const answer = await add(full.url, Buffer.from('x'));
    expect(answer.status).toBe(507);
    expect(await contents(full)).toEqual([]);
    await full.dispose();
  });

  it('accepts a file of exactly the limit, and stores nothing of one that is a byte larger', async () => {
    const small = await openStore({ maxFileBytes: 300_000 });
    expect((await add(small.url, randomBytes(300_000))).status).toBe(200);
    const answer = await add(small.url, randomBytes(300_001));
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ Message: expect.stringContaining('300000 bytes') });
    expect(await readdir(join(small.directory, 'content'))).toHaveLength(1);
    expect(await readdir(join(small.directory, 'drafts'))).toEqual([]);
    await small.dispose();
  });

  it('answers an error and leaves no draft when it fails midway, and works afterwards', async () => {
    const failing = await openStore({}, 'store.after-temp:1:error');
    const answer = await add(failing.url, Buffer.from('x'));
    expect(answer.status).toBe(500);
    expect(JSON.stringify(await answer.json())).not.toContain('store.after-temp');
    expect(await readdir(join(failing.directory, 'drafts'))).toEqual([]);
    expect((await add(failing.url, Buffer.from('x'))).status).toBe(200);
    await failing.dispose();
  });

  it('adds many files at once', async () => {
    const files = Array.from({ length: 40 }, (_, index) => randomBytes(1 + index * 20_000));
    const cids = await Promise.all(files.map((bytes) => cidFor(store.url, bytes)));
    for (const [index, cid] of cids.entries()) {
      const got = await (await fetch(`${store.url}/ipfs/${cid}`)).arrayBuffer();
      expect(Buffer.from(got).equals(files[index] ?? Buffer.alloc(0))).toBe(true);
    }
  });
});

describe('cat and version', () => {
  const call = (target: string): Promise<Response> => fetch(`${store.url}/api/v0/${target}`, { method: 'POST' });

  it('returns the content, or a range of it', async () => {
    await add(store.url, Buffer.from('hello world\n'));
    expect(await (await call(`cat?arg=${helloCid}`)).text()).toBe('hello world\n');
    expect(await (await call(`cat?arg=/ipfs/${helloCid}`)).text()).toBe('hello world\n');
    expect(await (await call(`cat?arg=${helloCid}&offset=6`)).text()).toBe('world\n');
    expect(await (await call(`cat?arg=${helloCid}&offset=6&length=3`)).text()).toBe('wor');
    expect(await (await call(`cat?arg=${helloCid}&offset=600`)).text()).toBe('');
  });

  it.each([524_287, 524_288, 524_289])('returns nothing from the end of %i bytes on', async (sizeBytes) => {
    const cid = await cidFor(store.url, randomBytes(sizeBytes));
    for (const offset of [sizeBytes, sizeBytes + 1]) {
      const answer = await call(`cat?arg=${cid}&offset=${offset}`);
      expect([answer.status, await answer.text()]).toEqual([200, '']);
    }
  });

  it.each([
    ['cat', 400],
    ['cat?arg=', 400],
    ['cat?arg=nonsense', 400],
    ['cat?arg=../../etc/passwd', 400],
    [`cat?arg=${helloCid}&offset=-1`, 400],
    [`cat?arg=${helloCid}&length=x`, 400],
    [`cat?arg=${absentCid}`, 404],
    ['pin/ls', 404],
    ['constructor', 404],
  ])('refuses %s as Kubo does', async (target, status) => {
    const answer = await call(target);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({ Message: expect.any(String), Code: 0, Type: 'error' });
  });

  it('accepts only POST, as Kubo does', async () => {
    expect((await fetch(`${store.url}/api/v0/version`)).status).toBe(405);
    expect(await (await call('version')).json()).toMatchObject({ Version: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
  });
});

describe('the gateway', () => {
  const bytes = randomBytes(3 * 262_144 + 100);
  let url: string;
  beforeAll(async () => {
    url = `${store.url}/ipfs/${await cidFor(store.url, bytes)}`;
  });

  it('returns the whole file as immutable, with its CID as ETag', async () => {
    const answer = await fetch(url);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('etag')).toBe(`"${url.split('/').at(-1)}"`);
    expect(answer.headers.get('cache-control')).toContain('immutable');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-length')).toBe(String(bytes.length));
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it.each([
    [0, 0],
    [0, 262_143],
    [262_143, 262_144],
    [262_144, 524_287],
    [100, 700_000],
    [786_432, 786_531],
  ])('returns the range from %i to %i', async (first, last) => {
    const answer = await fetch(url, { headers: { range: `bytes=${first}-${last}` } });
    expect(answer.status).toBe(206);
    expect(answer.headers.get('content-range')).toBe(`bytes ${first}-${last}/${bytes.length}`);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes.subarray(first, last + 1))).toBe(true);
  });

  it('returns the last bytes, and all bytes from an offset', async () => {
    const last = await fetch(url, { headers: { range: 'bytes=-50' } });
    expect(Buffer.from(await last.arrayBuffer()).equals(bytes.subarray(-50))).toBe(true);
    const open = await fetch(url, { headers: { range: 'bytes=700000-' } });
    expect(Buffer.from(await open.arrayBuffer()).equals(bytes.subarray(700_000))).toBe(true);
  });

  it('refuses a range outside the file, with an answer that is not cached', async () => {
    const answer = await fetch(url, { headers: { range: `bytes=${bytes.length}-` } });
    expect(answer.status).toBe(416);
    expect(answer.headers.get('content-range')).toBe(`bytes */${bytes.length}`);
    expect(answer.headers.get('cache-control')).toBeNull();
    expect(await answer.json()).toEqual({ error: expect.stringMatching(/^PY1202: /) });
  });

  it('returns the whole file if If-Range names other content', async () => {
    const answer = await fetch(url, { headers: { range: 'bytes=0-1', 'if-range': '"other"' } });
    expect(answer.status).toBe(200);
    expect(Number(answer.headers.get('content-length'))).toBe(bytes.length);
    await answer.body?.cancel();
  });

  it('answers HEAD with the same headers and no body', async () => {
    const answer = await fetch(url, { method: 'HEAD' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-length')).toBe(String(bytes.length));
    expect(await answer.text()).toBe('');
    const part = await fetch(url, { method: 'HEAD', headers: { range: 'bytes=5-9' } });
    expect([part.status, part.headers.get('content-length')]).toEqual([206, '5']);
  });

  it('answers 304 if If-None-Match names the CID', async () => {
    const answer = await fetch(url, { headers: { 'if-none-match': `"x", W/"${url.split('/').at(-1)}"` } });
    expect(answer.status).toBe(304);
  });

  it('serves an empty file', async () => {
    const cid = await cidFor(store.url, Buffer.alloc(0));
    expect(cid).toBe('QmbFMke1KXqnYyBBWxB74N4c5SBnJMVAiMNRcGu6x1AwQH');
    const answer = await fetch(`${store.url}/ipfs/${cid}`);
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });

  it.each([absentCid, 'nonsense', '..%2f..%2fetc%2fpasswd', `${helloCid}%00`, '%2e%2e', `${helloCid}/x`, ''])(
    'answers not found for %j',
    async (name) => {
      const answer = await rawRequest(
        store.port,
        requestText('GET', `/ipfs/${name}`, [`Host: 127.0.0.1:${store.port}`]),
      );
      expect(answer.status).toBe(404);
      expect(JSON.parse(answer.body)).toEqual({ error: expect.stringMatching(/^FF10109: /) });
    },
  );

  it('answers /livez', async () => {
    expect(await (await fetch(`${store.url}/livez`)).json()).toEqual({ ok: true });
  });
});

describe('kubo-rpc-client', () => {
  it('adds and reads', async () => {
    const client = create({ url: store.url });
    const added = await client.add(Buffer.from('hello world\n'));
    expect(added.cid.toString()).toBe(helloCid);
    const chunks: Uint8Array[] = [];
    for await (const chunk of client.cat(added.cid, { offset: 6 })) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe('world\n');
    expect((await client.version()).version).toMatch(/^\d/);
  });

  it('adds a stream whose tree has two levels, and reads it back', async () => {
    const client = create({ url: store.url });
    const piece = randomBytes(1_048_576);
    async function* pieces(): AsyncGenerator<Uint8Array> {
      for (let index = 0; index < 46; index += 1) {
        piece.writeUInt32LE(index);
        yield Buffer.from(piece);
      }
    }
    const progress: number[] = [];
    const added = await client.add(
      { path: 'big file.bin', content: pieces() },
      { progress: (sizeBytes) => progress.push(sizeBytes) },
    );
    expect(added.path).toBe('big file.bin');
    expect(progress.at(-1)).toBe(46 * 1_048_576);
    let index = 0;
    let pending = Buffer.alloc(0);
    for await (const chunk of client.cat(added.cid)) {
      pending = Buffer.concat([pending, chunk]);
      for (; pending.length >= piece.length; pending = pending.subarray(piece.length)) {
        piece.writeUInt32LE(index);
        if (!pending.subarray(0, piece.length).equals(piece)) throw new Error(`piece ${index} differs`);
        index += 1;
      }
    }
    expect([index, pending.length]).toEqual([46, 0]);
  });

  it('gets the error of a refused request', async () => {
    const client = create({ url: store.url });
    const reading = client.cat(absentCid)[Symbol.asyncIterator]();
    await expect(reading.next()).rejects.toThrow('no content with this CID');
  });
});
