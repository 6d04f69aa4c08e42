import { request as openRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.js';
import {
  createDataClient,
  type DataClient,
  formOf,
  type FormParts,
  type Item,
  refusal,
  sha256,
} from '../../support/data-client.js';
import { startTestNetwork, type TestNetwork, type TestNode } from '../../support/node.js';

let network: TestNetwork;
let alice: TestNode;
let client: DataClient;
beforeAll(async () => {
  network = await startTestNetwork(['alice']);
  alice = network.node;
  client = createDataClient(alice);
});
afterAll(async () => {
  expect(network.nodes.flatMap(({ fatal }) => fatal)).toEqual([]);
  await network.stop();
});

const filesLeft = () => alice.files.list('incoming');

describe('POST data with JSON', () => {
  test('stores a value with its spelling and its hash', async () => {
    const response = await client.post('data', '{"value": "a string"}');
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      validator: 'json',
      namespace: 'default',
      value: 'a string',
      hash: 'c95d6352f524a770a787c16509237baf7eb59967699fb9a6d825270e7ec0eacf',
    });
  });

  test('adds an existing blob to an item with another value', async () => {
    const { blob, id } = await client.upload({ file: ['shared bytes', 'a.txt'] });
    const response = await client.post('data', `{"value":{"filename":"dir/b.txt"},"blob":{"hash":"${blob?.hash}"}}`);
    const item = (await response.json()) as Item;
    expect(item.blob).toEqual({ hash: blob?.hash, size: 12, name: 'dir/b.txt', path: '/dir' });
    expect(item.hash).toBe(sha256(sha256('{"filename":"dir/b.txt"}') + sha256('shared bytes')));
    expect((await client.call(`data/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await client.download(item.id)).toString()).toBe('shared bytes');
  });

  test('refuses an empty request, and an unknown blob', async () => {
    expect(await refusal(client.post('data', '{}'))).toBe('400 FF10199');
    expect(await refusal(client.post('data', '{"blob":{"hash":"x"}}'))).toBe('400 FF00107');
    expect(await refusal(client.post('data', `{"blob":{"hash":"${'0'.repeat(64)}"}}`))).toBe('404 FF10239');
    expect(await refusal(client.post('data', '{"value":1,"validator":"xml"}'))).toBe('400 FF10194');
  });
});

describe('a list of data', () => {
  test('is filtered by shown fields, including missing values and directories', async () => {
    const made = [
      await client.upload({ file: ['a', 'f'] }),
      await client.upload({ metadata: '{"name":"a.txt"}', file: ['a', 'f'] }),
      await client.upload({ metadata: '{"name":"/dir/a.txt"}', file: ['a', 'f'] }),
      (await (await client.post('data', '{"value":null}')).json()) as Item,
    ].map(({ id }) => id);
    const found = async (filter: string) => {
      const items = (await (await client.call(`data?sort=created&${filter}`)).json()) as Item[];
      return items.flatMap(({ id }) => (made.includes(id) ? [made.indexOf(id)] : []));
    };
    expect([await found('blob.path=/'), await found('blob.path=!/')]).toEqual([
      [0, 1],
      [2, 3],
    ]);
    expect([await found('blob.path=?'), await found('blob.path=!?')]).toEqual([[3], [0, 1, 2]]);
    expect([await found('value=?'), await found('value=!?')]).toEqual([
      [0, 3],
      [1, 2],
    ]);
  });
});

describe('POST data with a form', () => {
  test('stores the file and its description, as in the example', async () => {
    const item = await client.upload({ autometa: 'true', file: ['hello parley\n', 'hello.txt', 'text/plain'] });
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

  test('finds the file by the name that it had before the form changed it', async () => {
    const name = 'say "hi"\r\n50%25.txt';
    const written = await client.upload({ autometa: 'true', file: ['x', name] });
    expect(written).toMatchObject({ value: { filename: name }, blob: { name } });
    const head = '--b\r\nContent-Disposition: form-data; name="autometa"\r\n\r\ntrue\r\n--b\r\n';
    const file = 'Content-Disposition: form-data; name="file"; filename="say \\"hi\\""\r\n\r\nx\r\n--b--\r\n';
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const response = await client.call('data', { method: 'POST', body: `${head}${file}`, headers });
    expect(await response.json()).toMatchObject({ blob: { name: 'say "hi"' } });
  });

  test('accepts fields before and after the file', async () => {
    const file: [string, string, string] = ['x', 'x.bin', 'application/x'];
    const before = await client.upload({ metadata: '{"a": 1.50}', autometa: 'true', file });
    const behind = await client.upload({ file, autometa: 'true', metadata: '{"a": 1.50}' });
    const value = '{"a":1.50,"filename":"x.bin","mimetype":"application/x","size":1}';
    for (const { id } of [before, behind]) expect(await (await client.call(`data/${id}/value`)).text()).toBe(value);
    expect(before.hash).toBe(behind.hash);
  });

  test.each([
    ['{"size": "mine", "name": "/dir/n.txt"}', '{"size":"mine","name":"/dir/n.txt","filename":"f","mimetype":"t/p"}'],
    ['', '{"filename":"f","mimetype":"t/p","size":4}'],
    ['{}', '{"filename":"f","mimetype":"t/p","size":4}'],
  ])('leaves what the caller gave as it is and appends the rest: %s', async (metadata, value) => {
    const { id } = await client.upload({ metadata, autometa: 'true', file: ['data', 'f', 't/p'] });
    expect(await (await client.call(`data/${id}/value`)).text()).toBe(value);
  });

  test.each([
    [{ metadata: 'just words' }, '"just words"'],
    [{ metadata: '["a", 1.0]' }, '["a",1.0]'],
    [{ autometa: 'false' }, 'null'],
    [{}, 'null'],
  ])('takes metadata for the value: %j', async (fields, value) => {
    const { id, hash } = await client.upload({ ...fields, file: ['data', 'f'] });
    expect(await (await client.call(`data/${id}/value`)).text()).toBe(value);
    if (value === 'null') expect(hash).toBe(sha256('data'));
  });

  test('accepts a part named file without a file name, and an empty file', async () => {
    expect((await client.upload({ file: 'text' })).blob).toMatchObject({ hash: sha256('text'), size: 4 });
    const empty = await client.upload({ file: ['', 'empty'] });
    expect(empty.blob).toMatchObject({ hash: sha256(''), size: 0 });
    expect(await client.download(empty.id)).toHaveLength(0);
  });

  test.each<[string, FormParts, string]>([
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
    expect(await refusal(client.postForm(parts))).toBe(expected);
    expect(await filesLeft()).toEqual([]);
    expect(await alice.files.list('blobs')).toEqual(before);
  });

  test('refuses a field whose bytes are not UTF-8, since its text would change', async () => {
    const part = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"`;
    // Longer than what the parser has when it finds the fault of a field before it.
    const file = `${part('file')}; filename="f"\r\n\r\n${'x'.repeat(500_000)}\r\n`;
    const metadata = `${part('metadata')}\r\n\r\n"caf\xe9"\r\n`;
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    for (const form of [file + metadata, metadata + file]) {
      const body = Buffer.from(`${form}--b--\r\n`, 'latin1');
      expect(await refusal(client.call('data', { method: 'POST', body, headers }))).toBe('400 PY1005');
      expect(await filesLeft()).toEqual([]);
    }
  });

  test('stores nothing of a form that has no boundary, is truncated, or is aborted', async () => {
    const type = 'multipart/form-data; boundary=b';
    const send = (body: string, contentType: string) =>
      client.call('data', { method: 'POST', body, headers: { 'content-type': contentType } });
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n';
    expect(await refusal(send(`${head}bytes`, 'multipart/form-data'))).toBe('400 FF00161');
    expect(await refusal(send(`${head}bytes`, type))).toBe('400 FF00161');
    expect(await filesLeft()).toEqual([]);
    const request = openRequest(`${alice.url}/api/v1/data`, { method: 'POST', headers: { 'content-type': type } });
    request.on('error', () => undefined);
    request.write(head + 'x'.repeat(100_000));
    await eventually(async () => expect(await filesLeft()).toHaveLength(1));
    request.destroy();
    await new Promise((resolve) => request.once('close', resolve));
    await eventually(async () => expect(await filesLeft()).toEqual([]));
  });

  test('accepts no file when the disk is almost full', async () => {
    alice.files.setFreeBytes(512 * 1024 * 1024 - 1);
    const response = refusal(client.postForm({ file: ['1', 'a'] }));
    expect(await response).toBe('507 PY1009');
    alice.files.setFreeBytes(Number.MAX_SAFE_INTEGER);
    expect(await filesLeft()).toEqual([]);
  });

  test('is the only route that accepts a form', async () => {
    const body = formOf({ file: ['1', 'a'] });
    expect(await refusal(client.call('broadcast/message', { method: 'POST', body }))).toBe('415 FF00162');
    expect(
      (await fetch(`${alice.url}/api/v1/data/`, { method: 'POST', body: formOf({ file: ['1', 'a'] }) })).status,
    ).toBe(200);
  });
});
