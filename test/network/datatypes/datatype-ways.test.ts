import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDataClient, type DataClient, type FormParts } from '../../support/data-client.js';
import { pool, post, ways } from '../../support/at-limits.js';
import { startTestNetwork, type TestNetwork } from '../../support/node.js';

const named = { name: 'order', version: '1.0' };
const [good, bad] = ['{"order":17}', '{"order":"many"}'];
const json = JSON.stringify;

let network: TestNetwork;
let client: DataClient;

beforeAll(async () => {
  network = await startTestNetwork(['alice', 'bob', 'carol']);
  client = createDataClient(network.node);
  const value = { type: 'object', required: ['order'], properties: { order: { type: 'integer' } } };
  for (const version of ['1.0', '2.0']) {
    const defined = await post(network.node, 'datatypes?confirm=true', json({ name: 'order', version, value }));
    expect(defined.status, defined.text).toBe(200);
  }
  const created = await post(network.node, 'tokens/pools?confirm=true', json({ name: pool, type: 'fungible' }));
  expect(created.status, created.text).toBe(200);
});
afterAll(() => network.stop());

/** Returns status and code of the answer to a request with these items. */
async function answerOf(path: string, body: string): Promise<string> {
  const { status, text } = await post(network.node, path, body);
  return `${status} ${/(?:FF|PY)\d+/.exec(text)?.[0] ?? ''}`.trim();
}

/** Values with a datatype in the request: the datatype's fields, the value, and the answer. */
const inline: readonly (readonly [says: string, value: string, answer: string])[] = [
  [`"datatype":${json(named)}`, good, '202'],
  [`"datatype":${json(named)}`, bad, '400 FF10198'],
  [`"datatype":${json(named)}`, 'null', '400 FF10198'],
  [`"datatype":${json(named)},"validator":"json"`, bad, '400 FF10198'],
  [`"datatype":${json(named)},"validator":"none"`, good, '400 FF10194'],
  [`"datatype":${json(named)},"validator":"definition"`, good, '400 FF10194'],
  ['"datatype":{"name":"order","version":"3.0"}', good, '400 FF10195'],
  ['"datatype":{"name":"order"}', good, '400 FF00112'],
  ['"datatype":{"version":"1.0"}', good, '400 FF00112'],
  ['"datatype":{"name":"order","version":null}', good, '400 FF00112'],
  ['"datatype":{"name":"","version":""}', good, '400 FF00112'],
  ['"datatype":{}', good, '400 FF00112'],
  ['"datatype":"order@1.0"', good, '400 PY1011'],
  [`"datatype":[${json(named)}]`, good, '400 PY1011'],
  ['"datatype":{"name":1,"version":2}', good, '400 PY1011'],
  // FireFly clients write null for what they do not set.
  ['"datatype":null', bad, '202'],
];

describe.each(Object.entries(ways))('in %s', (_, way) => {
  it.each(inline)('a value with %s, which is %s, is answered with %s', async (says, value, answer) => {
    expect(await answerOf(way.path, way.body({ data: `[{"value":${value},${says}}]` }))).toBe(answer);
  });

  it('an item referenced by its id has its own datatype, and no other', async () => {
    const plain = await client.upload({ metadata: good, file: ['x', 'x'] });
    const typed = await client.upload({ ...typedForm, file: ['y', 'y'] });
    const send = (item: object) => answerOf(way.path, way.body({ data: json([item]) }));
    expect(await send({ id: typed.id, datatype: named })).toBe('202');
    expect(await send({ id: typed.id, datatype: { ...named, version: '2.0' } })).toBe('400 PY1107');
    expect(await send({ id: plain.id, datatype: named })).toBe('400 PY1107');
    expect(await send({ id: plain.id, datatype: { name: 'order' } })).toBe('400 FF00112');
    expect(await send({ id: plain.id, datatype: named, validator: 'none' })).toBe('400 FF10194');
    expect(await send({ id: plain.id, validator: 'none' })).toBe('400 PY1107');
    expect(await send({ id: plain.id, validator: 'json', datatype: null })).toBe('202');
  });
});

const typedForm = { metadata: good, 'datatype.name': 'order', 'datatype.version': '1.0' };

describe('POST data', () => {
  it.each(inline)('with a value and %s, which is %s, is answered like a message: %s', async (says, value, answer) => {
    expect(await answerOf('data', `{"value":${value},${says}}`)).toBe(answer.replace('202', '200'));
  });

  it('with a datatype but without a value is refused', async () => {
    const { blob } = await client.upload({ file: ['z', 'z'] });
    expect(await answerOf('data', json({ blob: { hash: blob?.hash }, datatype: named }))).toBe('400 FF10197');
    expect(await answerOf('data', json({ blob: { hash: blob?.hash }, value: null, datatype: named }))).toBe(
      '400 FF10197',
    );
    expect(await answerOf('data', json({ datatype: named }))).toBe('400 FF10199');
  });
});

describe('a form', () => {
  const file = ['text', 'file.txt', 'text/plain'] as const;
  const forms: readonly (readonly [fields: FormParts, answer: string])[] = [
    [typedForm, '200'],
    [{ ...typedForm, metadata: bad }, '400 FF10198'],
    [{ ...typedForm, metadata: 'no json' }, '400 FF10198'],
    [{ 'datatype.name': 'order', 'datatype.version': '1.0' }, '400 FF10197'],
    [{ 'datatype.name': 'order', metadata: good }, '400 FF00112'],
    [{ 'datatype.version': '1.0', metadata: good }, '400 FF00112'],
    [{ ...typedForm, validator: 'none' }, '400 FF10194'],
    [{ metadata: good, datatype: json(named) }, '200'],
    [{ metadata: bad, datatype: json(named) }, '400 FF10198'],
    [{ metadata: bad, datatype: json(named), autometa: 'true' }, '400 FF10198'],
    [{ datatype: json(named), autometa: 'true' }, '400 FF10198'],
    [{ datatype: json(named) }, '400 FF10197'],
    [{ metadata: good, datatype: '{"name":"order"}' }, '400 PY1201'],
    [{ metadata: good, datatype: '{"name":"order","version":1}' }, '400 PY1201'],
    [{ metadata: good, datatype: 'order@1.0' }, '400 PY1201'],
    [{ metadata: good, datatype: '[]' }, '400 PY1201'],
    [{ ...typedForm, datatype: json(named) }, '200'],
    [{ ...typedForm, datatype: json({ ...named, version: '2.0' }) }, '400 PY1201'],
    [{ metadata: bad, datatype: 'null' }, '200'],
    [{ metadata: bad, datatype: '' }, '200'],
  ];
  it.each(forms)('with %j is answered with %s', async (fields, answer) => {
    const response = await client.postForm({ ...fields, file });
    expect(`${response.status} ${/(?:FF|PY)\d+/.exec(await response.text())?.[0] ?? ''}`.trim()).toBe(answer);
  });

  it('keeps the datatype that it named, in every accepted form', async () => {
    for (const fields of [typedForm, { metadata: good, datatype: json(named) }]) {
      expect(await client.upload({ ...fields, file })).toMatchObject({ datatype: named });
    }
  });

  it('is answered with the names of unknown fields', async () => {
    const response = await client.postForm({
      file,
      metadata: good,
      datatypes: json(named),
      'data type': '1',
      value: bad,
    });
    expect(response.headers.get('x-parley-ignored')).toBe('datatypes, data?type, value');
    expect((await client.postForm({ file, ...typedForm, autometa: 'false' })).headers.has('x-parley-ignored')).toBe(
      false,
    );
  });

  it('leaves the media type out of the value only if the datatype forbids it', async () => {
    const properties = { filename: { type: 'string' }, size: { type: 'integer' } };
    const exact = { type: 'object', properties, required: ['filename', 'size'], additionalProperties: false };
    for (const [name, value] of Object.entries({ exact, small: { ...exact, properties: { size: {} } } })) {
      await post(network.node, 'datatypes?confirm=true', json({ name, version: '1', value }));
    }
    const upload = (name: string, more: FormParts = {}) =>
      client.postForm({ file, autometa: 'true', datatype: json({ name, version: '1' }), ...more });
    const taken = await upload('exact');
    expect(await taken.json()).toMatchObject({ value: { filename: 'file.txt', size: 4 } });
    expect((await upload('small')).status).toBe(400);
    // A media type given by the caller stays.
    expect((await upload('exact', { metadata: '{"mimetype":"text/plain"}' })).status).toBe(400);
    expect(await client.upload({ file, autometa: 'true' })).toMatchObject({ value: { mimetype: 'text/plain' } });
  });
});

describe('a value for later', () => {
  it('may be null, as in a message', async () => {
    const stored = await post(network.node, 'data', '{"value":null}');
    expect(stored.status, stored.text).toBe(200);
    const { id, hash } = JSON.parse(stored.text) as { readonly id: string; readonly hash: string };
    const sent = await post(network.node, 'messages/broadcast', `{"data":[{"value":null},{"id":"${id}"}]}`);
    expect(JSON.parse(sent.text)).toMatchObject({ data: [{ hash }, { id, hash }] });
    expect(await answerOf('data', '{}')).toBe('400 FF10199');
  });

  it('is not larger than a message can carry', async () => {
    const most = 800 * 1024 - 1_024;
    const value = (bytes: number) => `{"value":"${'x'.repeat(bytes - 2)}"}`;
    expect(await answerOf('data', value(most))).toBe('200');
    expect(await answerOf('data', value(most + 1))).toBe('400 PY1203');
  });
});
