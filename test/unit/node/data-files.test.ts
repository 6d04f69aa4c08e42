import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { every, mentioning } from '../../../src/ports/tables/where.js';
import { createDataClient, type DataClient, type Item, refusal, sha256 } from '../../support/data-client.js';
import { startTestNetwork, type TestNetwork, type TestNode } from '../../support/node.js';

let network: TestNetwork;
let alice: TestNode;
let client: DataClient;
beforeAll(async () => {
  network = await startTestNetwork(['alice', 'bob']);
  alice = network.node;
  client = createDataClient(alice);
});
afterAll(async () => {
  expect(network.nodes.flatMap(({ fatal }) => fatal)).toEqual([]);
  await network.stop();
});

describe('GET data/{id}/blob', () => {
  const bytes = randomBytes(700_000);
  let item: Item;
  beforeAll(async () => {
    item = await client.upload({ metadata: '{"name":"../ö dir/we\\"ird\\r\\n.txt"}', file: [bytes, 'f'] });
  });

  test('answers the bytes with headers that are safe for browsers and file systems', async () => {
    const response = await client.call(`data/${item.id}/blob`);
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
    const response = await client.call(`data/${item.id}/blob`, { method: 'HEAD' });
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '700000']);
    expect((await response.arrayBuffer()).byteLength).toBe(0);
  });

  test.each([
    ['its own tag', `"${sha256(bytes)}"`, 304],
    ['it among others, after a proxy', `"other", W/"${sha256(bytes)}"`, 304],
    ['any tag', '*', 304],
    ['other tags', '"other"', 206],
  ])('sends no bytes to a client that has them: %s', async (_, tags, status) => {
    const response = await client.call(`data/${item.id}/blob`, {
      headers: { 'if-none-match': tags, range: 'bytes=0-' },
    });
    expect(response.status).toBe(status);
    expect(response.headers.get('etag')).toBe(`"${sha256(bytes)}"`);
    expect((await response.arrayBuffer()).byteLength).toBe(status === 304 ? 0 : 700_000);
  });

  test.each([
    ['bytes=0-9', 206, 0, 10],
    ['bytes=699990-', 206, 699_990, 700_000],
    ['bytes=-5', 206, 699_995, 700_000],
    ['bytes=0-9,20-29', 200, 0, 700_000],
    ['lines=1-2', 200, 0, 700_000],
  ])('answers the range %s with %i', async (range, status, start, end) => {
    const response = await client.call(`data/${item.id}/blob`, { headers: { range } });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-range')).toBe(status === 206 ? `bytes ${start}-${end - 1}/700000` : null);
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes.subarray(start, end))).toBe(true);
  });

  test('answers the whole file for a range of another version, and 416 beyond the end', async () => {
    const range = 'bytes=0-9';
    expect(await client.download(item.id, { range, 'if-range': '"other"' })).toHaveLength(700_000);
    expect(await client.download(item.id, { range, 'if-range': `"${sha256(bytes)}"` })).toHaveLength(10);
    const beyond = await client.call(`data/${item.id}/blob`, { headers: { range: 'bytes=700000-' } });
    expect(beyond.headers.get('content-range')).toBe('bytes */700000');
    expect(await refusal(Promise.resolve(beyond))).toBe('416 PY1202');
  });

  test('reports what is missing', async () => {
    const { id } = (await (await client.post('data', '{"value":1}')).json()) as Item;
    expect(await refusal(client.call(`data/${id}/blob`))).toBe('404 FF10241');
    expect(await refusal(client.call(`data/${randomUUID()}/blob`))).toBe('404 FF10109');
    expect(await refusal(client.call('data/nonsense/blob'))).toBe('400 FF00138');
  });

  test('never serves damaged bytes as complete, and drops them', async () => {
    const whole = await client.upload({ file: [randomBytes(600_000), 'damaged'] });
    const part = await client.upload({ file: [randomBytes(600_000), 'damaged too'] });
    for (const { blob } of [whole, part]) alice.files.damage(`blobs/${blob?.hash}`, 599_999);
    await expect(client.download(whole.id)).rejects.toThrow();
    await expect(refusal(client.call(`data/${part.id}/blob`, { headers: { range: 'bytes=0-9' } }))).resolves.toBe(
      '500 PY1000',
    );
    for (const { id, blob } of [whole, part]) {
      await eventually(async () => expect(await refusal(client.call(`data/${id}/blob`))).toBe('404 FF10239'));
      expect(await alice.files.size(`blobs/${blob?.hash}`)).toBeUndefined();
    }
  });
});

describe('DELETE data/{id}', () => {
  test('removes the item, and the file with the last item that refers to it', async () => {
    const [one, two] = [await client.upload({ file: ['twice', 'a'] }), await client.upload({ file: ['twice', 'b'] })];
    const file = `blobs/${sha256('twice')}`;
    expect((await client.call(`data/${one.id}`, { method: 'DELETE' })).status).toBe(204);
    expect(await alice.files.size(file)).toBe(5);
    expect((await client.download(two.id)).toString()).toBe('twice');
    expect((await client.call(`data/${two.id}`, { method: 'DELETE' })).status).toBe(204);
    expect(await alice.files.size(file)).toBeUndefined();
    expect(await refusal(client.call(`data/${two.id}`, { method: 'DELETE' }))).toBe('404 FF10109');
  });

  test('is refused while an undecided message needs the item, and keeps the references of decided ones', async () => {
    const { id } = (await (await client.post('data', '{"value":"needed"}')).json()) as Item;
    const sent = await client.post('broadcast/message', `{"data":[{"id":"${id}"}]}`);
    expect(sent.status).toBe(202);
    const message = ((await sent.json()) as { header: { id: string } }).header.id;
    await eventually(async () => {
      const answer = await client.call(`data/${id}`, { method: 'DELETE' });
      expect([204, 409]).toContain(answer.status);
      expect(answer.status).toBe(204);
    });
    const record = (await (await client.call(`messages/${message}`)).json()) as { state: string; data: Item[] };
    expect(record).toMatchObject({ state: 'confirmed', data: [{ id }] });
    expect(await refusal(client.post('broadcast/message', `{"data":[{"id":"${id}"}]}`))).toBe('400 FF10204');
  });
});

describe('publishing', () => {
  test('returns the references of value and file, without another upload the second time', async () => {
    const { id } = await client.upload({ metadata: '{"k":1.0}', file: ['to publish', 'p'] });
    const first = (await (await client.post(`data/${id}/blob/publish`, '{}')).json()) as Item;
    expect(first.blob?.public).toMatch(/.+/);
    expect(((await (await client.post(`data/${id}/blob/publish`, '')).json()) as Item).blob?.public).toBe(
      first.blob?.public,
    );
    const value = (await (await client.post(`data/${id}/value/publish`, '{"idempotencyKey":"once"}')).json()) as Item;
    expect(value.public).toMatch(/.+/);
    expect(await refusal(client.post(`data/${id}/value/publish`, '{"idempotencyKey":"once"}'))).toBe('409 FF10431');
    const rows = await alice.database.rows('operations', { namespace: every, input: mentioning(id) }, { limit: 10 });
    expect(rows.map(({ type, status }) => [type, status])).toEqual([
      ['sharedstorage_upload_blob', 'Succeeded'],
      ['sharedstorage_upload_value', 'Succeeded'],
    ]);
    expect((await client.call(`data/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect(await refusal(client.post(`data/${id}/value/publish`, '{"idempotencyKey":"once"}'))).toBe('409 FF10431');
    expect(await refusal(client.post(`data/${id}/value/publish`, '{}'))).toBe('404 FF10109');
  });

  test('keeps the key of a request that finds its work done', async () => {
    const { id } = await client.upload({ metadata: '{"k":2}', file: ['to publish again', 'p'] });
    for (const kind of ['value', 'blob']) {
      const publish = (body: string) => client.post(`data/${id}/${kind}/publish`, body);
      const first: unknown = await (await publish('{}')).json();
      const again = await publish(`{"idempotencyKey":"late ${kind}"}`);
      expect([again.status, await again.json()]).toEqual([200, first]);
      expect(await refusal(publish(`{"idempotencyKey":"late ${kind}"}`))).toBe('409 FF10431');
      const kept = { namespace: every, idempotencyKey: `late ${kind}` } as const;
      const [transaction] = await alice.database.rows('transactions', kept, { limit: 2 });
      const status = await client.call(`transactions/${transaction?.id}/status`);
      expect(await status.json()).toEqual({ status: 'Succeeded', details: [] });
    }
    const rows = await alice.database.rows('operations', { namespace: every, input: mentioning(id) }, { limit: 10 });
    expect(rows).toHaveLength(2);
  });

  test('reports that there is no file to publish', async () => {
    const { id } = (await (await client.post('data', '{"value":1}')).json()) as Item;
    expect(await refusal(client.post(`data/${id}/blob/publish`, '{}'))).toBe('404 FF10241');
    expect(await refusal(client.post(`data/${id}/value/publish`, `{"idempotencyKey":"${'k'.repeat(257)}"}`))).toBe(
      '400 FF00135',
    );
  });
});

describe('reading data', () => {
  test('lists items, the messages that refer to one, and the directories of files', async () => {
    const { id } = await client.upload({ metadata: '{"path":"/deep/inside","filename":"x"}', file: ['listed', 'x'] });
    const items = (await (await client.call('data?blob.path=/deep/inside')).json()) as Item[];
    expect(items.map((item) => item.id)).toEqual([id]);
    await client.upload({ metadata: '{"filename":"deep/inside/too/y"}', file: ['listed', 'y'] });
    for (const parent of ['deep', '%2Fdeep', 'deep%2F', '%2Fdeep%2F']) {
      const below = await (await client.call(`datasubpaths/${parent}`)).json();
      expect(below).toEqual(['/deep/inside', '/deep/inside/too']);
    }
    expect(await (await client.call('datasubpaths/deep/inside')).json()).toEqual(['/deep/inside/too']);
    expect(await (await client.call('datasubpaths/%2F')).json()).toContain('/deep/inside');
    expect(await (await client.call(`data/${id}/messages`)).json()).toEqual([]);
    await client.post('broadcast/message', `{"data":[{"id":"${id}"}]}`);
    expect(await (await client.call(`data/${id}/messages`)).json()).toMatchObject([{ data: [{ id }] }]);
  });

  test('shows a broadcast file to the other party once it has arrived', async () => {
    const bytes = randomBytes(300_000);
    const { id } = await client.upload({ file: [bytes, 'b.bin'], autometa: 'true' });
    const sent = (await (await client.post('messages/broadcast', `{"data":[{"id":"${id}"}]}`)).json()) as {
      header: { id: string };
    };
    for (const node of network.nodes) {
      await eventually(async () => {
        const message = (await (await createDataClient(node).call(`messages/${sent.header.id}`)).json()) as {
          state: string;
        };
        expect(message.state).toBe('confirmed');
      });
      expect((await createDataClient(node).download(id)).equals(bytes)).toBe(true);
    }
    expect(((await (await client.call(`data/${id}`)).json()) as Item).blob?.public).toMatch(/.+/);
  });
});
