import { describe, expect, it } from 'vitest';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createSeededRandom } from '../../../../../src/adapters/random/seeded.js';
import { createDirectJudge } from '../../../../../src/adapters/judge/direct.js';
import { createJudgeRequest } from '../../../../../src/pipeline/judging/requests.js';
import { hashOfItem } from '../../../../../src/domain/hash.js';
import { networkLimits } from '../../../../../src/domain/network/limits.js';
import { resolveData } from '../../../../../src/pipeline/accept/data/data.js';
import { createValidate } from '../../../../../src/pipeline/accept/data/validate.js';
import { newData } from '../../../../../src/pipeline/state/data/data-row.js';
import type { DataInput } from '../../../../../src/wire/data/data.js';
import { textOf } from '../../../../../src/wire/json/json.js';
import { compact } from '../../../../../src/wire/json/json-reader.js';
import { codeOfAsync } from '../../../../support/codes.js';
import { uuid } from '../../../../support/fixtures.js';
import { rowsOf } from '../../../../support/pipelines-check.js';
import { rulebookOf } from '../../../../support/rulebook.js';

const now = '2026-01-15T10:00:00.000Z';
const database = createMemoryDatabase();
const validate = createValidate({
  database,
  judgeRequest: createJudgeRequest(createDirectJudge()),
  rulebook: rulebookOf(),
});

/** Stores an item. */
async function hold(id: string, value: string, namespace = 'default'): Promise<string> {
  const text = compact(value);
  const hash = hashOfItem({ value: text });
  const row = newData(namespace, { id, hash, validator: 'json', created: now, value: text });
  await database.transaction((unit) => unit.insert('data', [row]));
  return hash;
}

function resolve(...items: readonly DataInput[]) {
  return resolveData(database, createSeededRandom(1), { namespace: 'default', now, items, validate });
}

describe('the data of a request', () => {
  it('become new items, in their order and with unchanged bytes', async () => {
    const texts = ['{"b":1.50,"a":2}', '"text"', 'null', '1e2'];
    const data = await resolve(...texts.map((text) => ({ value: compact(text) })));
    expect([...data.items.values()].map(({ value }) => value)).toEqual(texts);
    expect(data.created.map(({ value }) => value)).toEqual(texts);
    expect(data.created.map(({ hash }) => hash)).toEqual([...data.items.values()].map(hashOfItem));
    expect(data.references).toEqual(data.created.map(({ id, hash, seal }) => ({ id, hash, seal })));
    expect(new Set(data.references.map(({ id }) => id)).size).toBe(4);
    expect(data.created[0]).toMatchObject({ namespace: 'default', validator: 'json', created: now });
  });

  it('may be stored items, named by id in any case, with or without the hash', async () => {
    const [one, two] = [await hold(uuid(0xa1), '1'), await hold(uuid(0xa2), '2')];
    const data = await resolve({ id: uuid(0xa2).toUpperCase(), hash: two }, { value: textOf(3) }, { id: uuid(0xa1) });
    expect(data.references).toMatchObject([{ id: uuid(0xa2), hash: two }, {}, { id: uuid(0xa1), hash: one }]);
    expect([...data.items.values()].map(({ value }) => value)).toEqual(['2', '3', '1']);
    expect(data.created).toHaveLength(1);
  });

  it('may be items as they were read, if nothing in them is changed', async () => {
    const hash = await hold(uuid(0xd1), '{"amount":1.50,"of":["x"]}');
    const read = { id: uuid(0xd1), hash, validator: 'json', value: compact('{"of":["x"],"amount":1.5}') };
    const { references, created } = await resolve(read);
    expect({ references, created }).toMatchObject({ references: [{ id: uuid(0xd1), hash }], created: [] });
    expect(await codeOfAsync(() => resolve({ ...read, value: compact('{"of":["x"],"amount":2}') }))).toBe('PY1102');
    expect(await codeOfAsync(() => resolve({ ...read, hash: 'f'.repeat(64) }))).toBe('FF10201');
    for (const blob of [{ hash }, hash, 1, true]) {
      expect(await codeOfAsync(() => resolve({ ...read, blob }))).toBe('PY1102');
    }
    for (const blob of [null, {}]) {
      expect((await resolve({ ...read, blob })).references).toMatchObject([{ id: uuid(0xd1), hash }]);
    }
  });

  it('may be files as they were read, with a blob and without a value', async () => {
    const blob = { hash: 'b'.repeat(64), size: 5, path: '/' };
    const row = newData('default', { id: uuid(0xd2), hash: blob.hash, validator: 'json', created: now, blob });
    await database.transaction((unit) => unit.insert('data', [row]));
    const read = { id: uuid(0xd2), hash: blob.hash, value: compact('null'), blob };
    expect(await codeOfAsync(() => resolve(read))).toBe('FF10239');
    const stored = { namespace: 'default', hash: blob.hash, sizeBytes: blob.size, created: now };
    await database.transaction((unit) => unit.insert('blobs', [stored]));
    expect((await resolve(read)).references).toMatchObject([{ id: uuid(0xd2), hash: blob.hash }]);
    expect(await codeOfAsync(() => resolve({ ...read, blob: { hash: 'c'.repeat(64) } }))).toBe('PY1102');
  });

  it('take the first of several items that claim one id', async () => {
    const first = await hold(uuid(0xb1), '"first"');
    for (let number = 0; number < 5; number++) await hold(uuid(0xb1), `"copy ${number}"`);
    await hold(uuid(0xb2), '"other"');
    const data = await resolve({ id: uuid(0xb2) }, { id: uuid(0xb1) });
    expect(data.references[1]).toMatchObject({ id: uuid(0xb1), hash: first });
  });

  it('may have the maximum number of items and no more', async () => {
    const items = Array.from({ length: networkLimits.maxDataItems }, (_, index) => ({ value: textOf(index) }));
    expect((await resolve(...items)).references).toHaveLength(256);
    expect(await codeOfAsync(() => resolve(...items, { value: textOf('one more') }))).toBe('FF00134');
  });

  it.each<[string, DataInput[], string]>([
    ['neither value nor id', [{}], 'FF10205'],
    ['value and id', [{ id: uuid(1), value: textOf(1) }], 'PY1102'],
    ['a blob', [{ blob: { hash: 'a' } }], 'PY1102'],
    ['an invalid id', [{ id: 'seventeen' }], 'FF00138'],
    ['an id twice', [{ id: uuid(1) }, { id: uuid(1).toUpperCase() }], 'FF00129'],
    ['an unknown id', [{ id: uuid(404) }], 'FF10204'],
    ['an unknown validator', [{ value: textOf(1), validator: 'xml' }], 'FF10194'],
    ['an undefined datatype', [{ value: textOf(1), datatype: { name: 'a', version: '1' } }], 'FF10195'],
  ])('with %s are refused', async (_, items, code) => {
    const before = (await rowsOf(database, 'data')).length;
    expect(await codeOfAsync(() => resolve({ value: textOf('good') }, ...items))).toBe(code);
    expect(await rowsOf(database, 'data')).toHaveLength(before);
  });

  it('are refused with the hash of another item, and with an item of another namespace', async () => {
    await hold(uuid(0xc1), '"here"');
    await hold(uuid(0xc2), '"elsewhere"', 'other');
    expect(await codeOfAsync(() => resolve({ id: uuid(0xc1), hash: 'f'.repeat(64) }))).toBe('FF10201');
    expect(await codeOfAsync(() => resolve({ id: uuid(0xc2) }))).toBe('FF10204');
  });
});
