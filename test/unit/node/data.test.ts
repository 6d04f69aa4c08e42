import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { request as openRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { everyNamespace } from '../../../src/ports/database.js';
import { oldestFirst } from '../../../src/wire/query.js';
import { startTestNetwork, type TestNetwork, type TestNode } from '../../support/node.js';

let network: TestNetwork;
let alice: TestNode;
beforeAll(async () => {
  network = await startTestNetwork(['alice', 'bob']);
  alice = network.node;
});
afterAll(async () => {
  expect(network.nodes.flatMap(({ fatal }) => fatal)).toEqual([]);
  await network.stop();
});

interface Item {
  readonly id: string;
  readonly hash: string;
  readonly value: unknown;
  readonly validator: string;
  readonly public?: string;
  readonly blob?: { hash: string; size: number; name?: string; path?: string; public?: string };
}

const call = (path: string, options: RequestInit = {}, node = alice) =>
  fetch(`${node.url}/api/v1/namespaces/default/${path}`, options);
const post = (path: string, body: string, node = alice) =>
  call(path, { method: 'POST', body, headers: { 'content-type': 'application/json' } }, node);
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

/** A form with the parts in this order; `[bytes, name]` is a file. */
function formOf(parts: Readonly<Record<string, string | readonly [Uint8Array | string, string, string?]>>): FormData {
  const form = new FormData();
  for (const [name, part] of Object.entries(parts)) {
    if (typeof part === 'string') form.append(name, part);
    else form.append(name, new Blob([Buffer.from(part[0])], part[2] === undefined ? {} : { type: part[2] }), part[1]);
  }
  return form;
}

async function upload(parts: Parameters<typeof formOf>[0]): Promise<Item> {
  const response = await call('data', { method: 'POST', body: formOf(parts) });
  const text = await response.text();
  expect([response.status, text]).toEqual([200, text]);
  return JSON.parse(text);
}

/** Status and code of an answer. */
async function refusal(response: Promise<Response>): Promise<string> {
  const settled = await response;
  return `${settled.status} ${/(?:FF|PY)\d+/.exec(await settled.text())?.[0] ?? ''}`;
}

async function blobOf(id: string, headers: Record<string, string> = {}, node = alice): Promise<Buffer> {
  return Buffer.from(await (await call(`data/${id}/blob`, { headers }, node)).arrayBuffer());
}

const filesLeft = () => alice.files.list('incoming');

describe('POST data with JSON', () => {
  test('stores a value as it was written, with its hash', async () => {
    const response = await post('data', '{"value": "a string"}');
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      validator: 'json',
      namespace: 'default',
      value: 'a string',
      hash: 'c95d6352f524a770a787c16509237baf7eb59967699fb9a6d825270e7ec0eacf',
    });
  });

  test('gives a blob that is here to an item with another value', async () => {
    const { blob, id } = await upload({ file: ['shared bytes', 'a.txt'] });
    const response = await post('data', `{"value":{"filename":"dir/b.txt"},"blob":{"hash":"${blob?.hash}"}}`);
    const item = (await response.json()) as Item;
    expect(item.blob).toEqual({ hash: blob?.hash, size: 12, name: 'dir/b.txt', path: 'dir' });
    expect(item.hash).toBe(sha256(sha256('{"filename":"dir/b.txt"}') + sha256('shared bytes')));
    expect((await call(`data/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await blobOf(item.id)).toString()).toBe('shared bytes');
  });

  test('refuses what is nothing, and a blob that is not here', async () => {
    expect(await refusal(post('data', '{}'))).toBe('400 FF10199');
    expect(await refusal(post('data', '{"value":null}'))).toBe('400 FF10199');
    expect(await refusal(post('data', '{"blob":{"hash":"x"}}'))).toBe('400 FF00107');
    expect(await refusal(post('data', `{"blob":{"hash":"${'0'.repeat(64)}"}}`))).toBe('404 FF10239');
    expect(await refusal(post('data', '{"value":1,"validator":"xml"}'))).toBe('400 FF10194');
  });
});

describe('POST data with a form', () => {
  test('keeps the file and describes it, as the example has it', async () => {
    const item = await upload({ autometa: 'true', file: ['hello parley\n', 'hello.txt', 'text/plain'] });
    expect(item).toMatchObject({
      validator: 'json',
      hash: '8be322a96c2c16d10972d884a83c3d8e56fd2dadf7df444546841a22ec1d5ced',
      value: { filename: 'hello.txt', mimetype: 'text/plain', size: 13 },
      blob: {
        hash: '8d65373e30398263d1ce78e858420147872d452693cc7a0d48cbbedf04c659c1',
        size: 13,
        name: 'hello.txt',
      },
    });
    expect(await filesLeft()).toEqual([]);
  });

  test('takes fields before and behind the file', async () => {
    const file: [string, string, string] = ['x', 'x.bin', 'application/x'];
    const before = await upload({ metadata: '{"a": 1.50}', autometa: 'true', file });
    const behind = await upload({ file, autometa: 'true', metadata: '{"a": 1.50}' });
    const value = '{"a":1.50,"filename":"x.bin","mimetype":"application/x","size":1}';
    for (const { id } of [before, behind]) expect(await (await call(`data/${id}/value`)).text()).toBe(value);
    expect(before.hash).toBe(behind.hash);
  });

  test.each([
    ['{"size": "mine", "name": "/dir/n.txt"}', '{"size":"mine","name":"/dir/n.txt","filename":"f","mimetype":"t/p"}'],
    ['', '{"filename":"f","mimetype":"t/p","size":4}'],
    ['{}', '{"filename":"f","mimetype":"t/p","size":4}'],
  ])('leaves what the caller gave as it is and appends the rest: %s', async (metadata, value) => {
    const { id } = await upload({ metadata, autometa: 'true', file: ['data', 'f', 't/p'] });
    expect(await (await call(`data/${id}/value`)).text()).toBe(value);
  });

  test.each([
    [{ metadata: 'just words' }, '"just words"'],
    [{ metadata: '["a", 1.0]' }, '["a",1.0]'],
    [{ autometa: 'false' }, 'null'],
    [{}, 'null'],
  ])('takes metadata for the value: %j', async (fields, value) => {
    const { id, hash } = await upload({ ...fields, file: ['data', 'f'] });
    expect(await (await call(`data/${id}/value`)).text()).toBe(value);
    if (value === 'null') expect(hash).toBe(sha256('data'));
  });

  test('takes a part named file without a file name, and an empty file', async () => {
    expect((await upload({ file: 'text' })).blob).toMatchObject({ hash: sha256('text'), size: 4 });
    const empty = await upload({ file: ['', 'empty'] });
    expect(empty.blob).toMatchObject({ hash: sha256(''), size: 0 });
    expect(await blobOf(empty.id)).toHaveLength(0);
  });

  test.each<[string, Parameters<typeof formOf>[0], string]>([
    ['no file', { metadata: '{}' }, '400 PY1201'],
    ['two files', { file: ['1', 'a'], other: ['2', 'b'] }, '400 PY1201'],
    ['metadata that is no object', { autometa: 'true', metadata: '[1]', file: ['1', 'a'] }, '400 PY1201'],
    ['metadata too deep', { metadata: `${'['.repeat(65)}${']'.repeat(65)}`, file: ['1', 'a'] }, '400 PY1005'],
    ['a field too long', { file: ['1', 'a'], metadata: 'x'.repeat(65_537) }, '400 FF00161'],
    [
      'too many fields',
      { file: ['1', 'a'], ...Object.fromEntries(Array.from('abcdefghi', (f) => [f, ''])) },
      '400 FF00161',
    ],
    ['a long name', { file: ['1', 'n'.repeat(256)] }, '400 FF00161'],
    ['an unknown validator', { file: ['1', 'a'], validator: 'xml' }, '400 FF10194'],
    ['a datatype without value', { file: ['1', 'a'], 'datatype.name': 'd', 'datatype.version': '1' }, '400 FF10197'],
    [
      'an unknown datatype',
      { file: ['1', 'a'], metadata: '1', 'datatype.name': 'd', 'datatype.version': '1' },
      '400 FF10195',
    ],
  ])('leaves nothing of a form with %s', async (_what, parts, expected) => {
    const before = await alice.files.list('blobs');
    expect(await refusal(call('data', { method: 'POST', body: formOf(parts) }))).toBe(expected);
    expect(await filesLeft()).toEqual([]);
    expect(await alice.files.list('blobs')).toEqual(before);
  });

  test('leaves nothing of a form without a boundary, cut off, or broken off', async () => {
    const type = 'multipart/form-data; boundary=b';
    const send = (body: string, contentType: string) =>
      call('data', { method: 'POST', body, headers: { 'content-type': contentType } });
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n';
    expect(await refusal(send(`${head}bytes`, 'multipart/form-data'))).toBe('400 FF00161');
    expect(await refusal(send(`${head}bytes`, type))).toBe('400 FF00161');
    expect(await filesLeft()).toEqual([]);
    const request = openRequest(`${alice.url}/api/v1/data`, { method: 'POST', headers: { 'content-type': type } });
    request.on('error', () => undefined);
    request.write(head + 'x'.repeat(100_000));
    await vi.waitFor(async () => expect(await filesLeft()).toHaveLength(1));
    request.destroy();
    await new Promise((resolve) => request.once('close', resolve));
    await vi.waitFor(async () => expect(await filesLeft()).toEqual([]));
  });

  test('takes no file when the disk is almost full', async () => {
    alice.files.setFreeBytes(512 * 1024 * 1024 - 1);
    const response = refusal(call('data', { method: 'POST', body: formOf({ file: ['1', 'a'] }) }));
    expect(await response).toBe('507 PY1009');
    alice.files.setFreeBytes(Number.MAX_SAFE_INTEGER);
    expect(await filesLeft()).toEqual([]);
  });

  test('is the only route that takes a form', async () => {
    const body = formOf({ file: ['1', 'a'] });
    expect(await refusal(call('broadcast/message', { method: 'POST', body }))).toBe('415 FF00162');
    expect(
      (await fetch(`${alice.url}/api/v1/data/`, { method: 'POST', body: formOf({ file: ['1', 'a'] }) })).status,
    ).toBe(200);
  });
});

describe('GET data/{id}/blob', () => {
  const bytes = randomBytes(700_000);
  let item: Item;
  beforeAll(async () => {
    item = await upload({ metadata: '{"name":"../ö dir/we\\"ird\\r\\n.txt"}', file: [bytes, 'f'] });
  });

  test('answers the bytes with headers that no browser and no file system minds', async () => {
    const response = await call(`data/${item.id}/blob`);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '700000',
      'accept-ranges': 'bytes',
      etag: `"${sha256(bytes)}"`,
      'content-disposition': 'attachment; filename="we_ird__.txt"',
      'x-content-type-options': 'nosniff',
      'content-security-policy': 'sandbox',
      'x-ff-blob-hash-sha256': sha256(bytes),
      'x-ff-blob-size': '700000',
    });
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test('answers HEAD with the same headers and no bytes', async () => {
    const response = await call(`data/${item.id}/blob`, { method: 'HEAD' });
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '700000']);
    expect((await response.arrayBuffer()).byteLength).toBe(0);
  });

  test.each([
    ['bytes=0-9', 206, 0, 10],
    ['bytes=699990-', 206, 699_990, 700_000],
    ['bytes=-5', 206, 699_995, 700_000],
    ['bytes=0-9,20-29', 200, 0, 700_000],
    ['lines=1-2', 200, 0, 700_000],
  ])('answers the range %s with %i', async (range, status, start, end) => {
    const response = await call(`data/${item.id}/blob`, { headers: { range } });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-range')).toBe(status === 206 ? `bytes ${start}-${end - 1}/700000` : null);
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes.subarray(start, end))).toBe(true);
  });

  test('answers the whole when the range is for another version, and 416 beyond the end', async () => {
    const range = 'bytes=0-9';
    expect(await blobOf(item.id, { range, 'if-range': '"other"' })).toHaveLength(700_000);
    expect(await blobOf(item.id, { range, 'if-range': `"${sha256(bytes)}"` })).toHaveLength(10);
    expect(await refusal(call(`data/${item.id}/blob`, { headers: { range: 'bytes=700000-' } }))).toBe('416 PY1202');
  });

  test('says what is not there', async () => {
    const { id } = (await (await post('data', '{"value":1}')).json()) as Item;
    expect(await refusal(call(`data/${id}/blob`))).toBe('404 FF10241');
    expect(await refusal(call(`data/${randomUUID()}/blob`))).toBe('404 FF10109');
    expect(await refusal(call('data/nonsense/blob'))).toBe('400 FF00138');
  });

  test('never serves damaged bytes as the whole, and forgets them', async () => {
    const whole = await upload({ file: [randomBytes(600_000), 'damaged'] });
    const part = await upload({ file: [randomBytes(600_000), 'damaged too'] });
    for (const { blob } of [whole, part]) alice.files.damage(`blobs/${blob?.hash}`, 599_999);
    await expect(blobOf(whole.id)).rejects.toThrow();
    await expect(refusal(call(`data/${part.id}/blob`, { headers: { range: 'bytes=0-9' } }))).resolves.toBe(
      '500 PY1000',
    );
    for (const { id, blob } of [whole, part]) {
      await vi.waitFor(async () => expect(await refusal(call(`data/${id}/blob`))).toBe('404 FF10239'));
      expect(await alice.files.size(`blobs/${blob?.hash}`)).toBeUndefined();
    }
  });
});

describe('DELETE data/{id}', () => {
  test('removes the item, and the file with the last item that has it', async () => {
    const [one, two] = [await upload({ file: ['twice', 'a'] }), await upload({ file: ['twice', 'b'] })];
    const file = `blobs/${sha256('twice')}`;
    expect((await call(`data/${one.id}`, { method: 'DELETE' })).status).toBe(204);
    expect(await alice.files.size(file)).toBe(5);
    expect((await blobOf(two.id)).toString()).toBe('twice');
    expect((await call(`data/${two.id}`, { method: 'DELETE' })).status).toBe(204);
    expect(await alice.files.size(file)).toBeUndefined();
    expect(await refusal(call(`data/${two.id}`, { method: 'DELETE' }))).toBe('404 FF10109');
  });

  test('is refused while an undecided message needs the item, and leaves the references of decided ones', async () => {
    const { id } = (await (await post('data', '{"value":"needed"}')).json()) as Item;
    const sent = await post('broadcast/message', `{"data":[{"id":"${id}"}]}`);
    expect(sent.status).toBe(202);
    const message = ((await sent.json()) as { header: { id: string } }).header.id;
    await vi.waitFor(async () => {
      const answer = await call(`data/${id}`, { method: 'DELETE' });
      expect([204, 409]).toContain(answer.status);
      expect(answer.status).toBe(204);
    });
    const record = (await (await call(`messages/${message}`)).json()) as { state: string; data: Item[] };
    expect(record).toMatchObject({ state: 'confirmed', data: [{ id }] });
    expect(await refusal(post('broadcast/message', `{"data":[{"id":"${id}"}]}`))).toBe('400 FF10204');
  });
});

describe('publishing', () => {
  test('answers where value and file are, without another upload the second time', async () => {
    const { id } = await upload({ metadata: '{"k":1.0}', file: ['to publish', 'p'] });
    const first = (await (await post(`data/${id}/blob/publish`, '{}')).json()) as Item;
    expect(first.blob?.public).toMatch(/.+/);
    expect(((await (await post(`data/${id}/blob/publish`, '')).json()) as Item).blob?.public).toBe(first.blob?.public);
    const value = (await (await post(`data/${id}/value/publish`, '{"idempotencyKey":"once"}')).json()) as Item;
    expect(value.public).toMatch(/.+/);
    expect(await refusal(post(`data/${id}/value/publish`, '{"idempotencyKey":"once"}'))).toBe('409 FF10431');
    const rows = await alice.database.find('operations', {
      namespace: everyNamespace,
      where: [{ field: 'input', is: 'written', of: { field: 'value', is: 'contains', value: id } }],
      sort: oldestFirst,
      limit: 10,
    });
    expect(rows.map(({ type, status }) => [type, status])).toEqual([
      ['sharedstorage_upload_blob', 'Succeeded'],
      ['sharedstorage_upload_value', 'Succeeded'],
    ]);
  });

  test('says that there is no file to publish', async () => {
    const { id } = (await (await post('data', '{"value":1}')).json()) as Item;
    expect(await refusal(post(`data/${id}/blob/publish`, '{}'))).toBe('404 FF10241');
    expect(await refusal(post(`data/${id}/value/publish`, `{"idempotencyKey":"${'k'.repeat(257)}"}`))).toBe(
      '400 FF00135',
    );
  });
});

describe('reading data', () => {
  test('lists items, the messages that refer to one, and the directories of files', async () => {
    const { id } = await upload({ metadata: '{"path":"/deep/inside","filename":"x"}', file: ['listed', 'x'] });
    const items = (await (await call('data?blob.path=/deep/inside')).json()) as Item[];
    expect(items.map((item) => item.id)).toEqual([id]);
    expect(await (await call(`datasubpaths/${encodeURIComponent('/deep')}`)).json()).toEqual(['/deep/inside']);
    expect(await (await call(`data/${id}/messages`)).json()).toEqual([]);
    await post('broadcast/message', `{"data":[{"id":"${id}"}]}`);
    expect(await (await call(`data/${id}/messages`)).json()).toMatchObject([{ data: [{ id }] }]);
  });

  test('shows a broadcast file to the other party once it has it', async () => {
    const bytes = randomBytes(300_000);
    const { id } = await upload({ file: [bytes, 'b.bin'], autometa: 'true' });
    const sent = (await (await post('messages/broadcast', `{"data":[{"id":"${id}"}]}`)).json()) as {
      header: { id: string };
    };
    for (const node of network.nodes) {
      await vi.waitFor(async () => {
        const message = (await (await call(`messages/${sent.header.id}`, {}, node)).json()) as { state: string };
        expect(message.state).toBe('confirmed');
      });
      expect((await blobOf(id, {}, node)).equals(bytes)).toBe(true);
    }
    expect(((await (await call(`data/${id}`)).json()) as Item).blob?.public).toMatch(/.+/);
  });
});
