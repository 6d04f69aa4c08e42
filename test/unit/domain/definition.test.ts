import { describe, expect, it, test } from 'vitest';
import {
  checkRecordName,
  readDatatypeDefinition,
  readIdentityClaim,
  readIdentityUpdate,
  givenKey,
  readPoolDefinition,
  storedKey,
} from '../../../src/domain/definition.js';
import { hashOfItem, sha256 } from '../../../src/domain/hash.js';
import { DatatypeDefinition } from '../../../src/wire/data/datatype.js';
import { textOf as textOfValue, write } from '../../../src/wire/json/json.js';
import { compact } from '../../../src/wire/json/json-reader.js';
import { codeOf } from '../../support/codes.js';

/** The schema and the ids of the specification's example. */
const value = compact(`{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"Order","type":"object",
  "required":["order"],"properties":{"order":{"type":"integer"},"sku":{"type":"string"}}}`);
const record: DatatypeDefinition = {
  id: '6f0b2d84-5e1a-4c97-8b3d-2a7c9e4f1d05',
  validator: 'json',
  namespace: 'default',
  name: 'order',
  version: '1.0',
  hash: '07ffa5445ed0c5d8e345c51429002cec27cfc31d0b371301b741f700bc506d4f',
  value,
};
const topics = ['svc_ns_default'];

function textOf(changes: Partial<DatatypeDefinition> = {}) {
  return compact(write(DatatypeDefinition, { ...record, ...changes }));
}

describe('the definition of a datatype', () => {
  it('is the record of the example, with its hashes', () => {
    expect(sha256(value)).toBe(record.hash);
    expect(hashOfItem({ value: textOf() })).toBe('785ca390c43ff015900280ce03fce371abcba15c63d3287aef057fdbbbb8d196');
    expect(readDatatypeDefinition(topics, textOf())).toEqual({ record });
  });

  it.each([
    ['no object', compact('5'), topics, 'FF10400'],
    ['a field too many', compact(textOf().replace('{', '{"more":1,')), topics, 'FF10400'],
    ['a repeated field', compact(textOf().replace('{', '{"name":"a",')), topics, 'FF10400'],
    ['another validator', compact(textOf().replace('"json"', '"none"')), topics, 'FF10400'],
    ['the topic of another namespace', textOf(), ['svc_ns_other'], 'FF10400'],
    ['several topics', textOf(), [...topics, 'svc_ns_other'], 'FF10400'],
    ['a name that is none', textOf({ name: 'a b' }), topics, 'FF10403'],
    ['a version like an id', textOf({ version: record.id }), topics, 'FF10403'],
    ['the hash of something else', textOf({ hash: '0'.repeat(64) }), topics, 'FF10403'],
  ])('is refused with %s', (_, text, on, code) => {
    expect(readDatatypeDefinition(on, text).refusal?.slice(0, 7)).toBe(code);
  });
});

describe("the definition of an identity's profile", () => {
  const did = 'did:parley:org/alice';
  it.each([
    ['a description', { did, namespace: 'default', description: 'x' }, undefined],
    ['a profile', { did, namespace: 'default', profile: { a: 1 } }, undefined],
    ['nothing', { did, namespace: 'default' }, 'FF10403'],
    ['a profile that is no object', { did, namespace: 'default', profile: [1] }, 'FF10403'],
    ['another field', { did, namespace: 'default', description: 'x', key: 'y' }, 'FF10400'],
    ['another namespace', { did, namespace: 'other', description: 'x' }, 'FF10400'],
    ['no identity', { namespace: 'default', description: 'x' }, 'FF10400'],
  ])('with %s is read, or refused', (_, value, code) => {
    expect(readIdentityUpdate(topics, textOfValue(value)).refusal?.slice(0, 7)).toBe(code);
  });
});

describe('the claim of an identity', () => {
  const did = 'did:parley:org/alice';
  it.each([
    ['nothing else', { did, namespace: 'default' }, undefined],
    ['a description', { did, namespace: 'default', description: 'x' }, undefined],
    ['a profile that is no object', { did, namespace: 'default', profile: [1] }, 'FF10403'],
    ['another field', { did, namespace: 'default', key: 'y' }, 'FF10400'],
    ['another namespace', { did, namespace: 'other' }, 'FF10400'],
  ])('with %s is read, or refused', (_, value, code) => {
    expect(readIdentityClaim(topics, textOfValue(value)).refusal?.slice(0, 7)).toBe(code);
  });
});

test.each([
  ['order', undefined],
  ['1.0', undefined],
  ['', 'FF00140'],
  ['order-', 'FF00140'],
  [record.id, 'FF00141'],
  [record.id.toUpperCase(), 'FF00141'],
])('the name %s of a record is told to be wrong: %s', (name, code) => {
  expect(codeOf(() => checkRecordName('name', name))).toBe(code);
});

it.each(['key', 'a key with spaces', ''])(
  'the idempotency key "%s" of a definition is shown as it was given',
  (key) => {
    expect(givenKey('definition', storedKey('svc_ns_default', key))).toBe(key);
    expect(givenKey('broadcast', key)).toBe(key);
  },
);

describe('the definition of a token pool', () => {
  const record = {
    id: '3d5b8a52-2c1f-4b7e-9f60-1b0a4d7c9e11',
    type: 'fungible',
    namespace: 'default',
    name: 'gold',
    standard: 'ERC1155',
    locator: 'address=0x1',
    decimals: null,
    connector: 'erc1155',
    tx: { type: 'token_pool', id: '3d5b8a52-2c1f-4b7e-9f60-1b0a4d7c9e12' },
  };
  const read = (changes: object, topics = ['svc_ns_default']) =>
    readPoolDefinition(topics, textOfValue({ ...record, ...changes }));

  it('is read if it is well-formed', () => {
    expect(read({}).record).toEqual(record);
    expect(read({ key: `0x${'a'.repeat(40)}`, symbol: 'AU', decimals: 18 }).refusal).toBeUndefined();
    expect(read({ locator: 'x'.repeat(1_024), symbol: 'x'.repeat(256) }).refusal).toBeUndefined();
  });

  it.each([
    ['another type', { type: 'liquid' }, 'FF10400'],
    ['a member that nobody knows', { colour: 'yellow' }, 'FF10400'],
    ['no locator', { locator: undefined }, 'FF10400'],
    ['a key that is no address', { key: 'alice' }, 'FF10400'],
    ['another namespace than its topic', { namespace: 'other' }, 'FF10400'],
    ['a name that is none', { name: 'a b' }, 'FF10403'],
    ['a name like an id', { name: record.id }, 'FF10403'],
    ['a locator without end', { locator: 'x'.repeat(1_025) }, 'FF10403'],
    ['a symbol without end', { symbol: 'x'.repeat(257) }, 'FF10403'],
    ['methods that nobody can call', { methods: { mint: 'issue' } }, 'FF10403'],
  ])('is refused with %s', (_, changes, code) => {
    expect(read(changes).refusal?.slice(0, 7)).toBe(code);
  });

  it('is refused under another topic, or several', () => {
    expect(read({}, ['svc_ns_other']).refusal).toMatch(/^FF10400/);
    expect(read({}, ['svc_ns_default', 'more']).refusal).toMatch(/^FF10400/);
  });
});
