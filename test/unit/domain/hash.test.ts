import { describe, expect, it, test } from 'vitest';
import { hashOfHeader, hashOfItem, hashOfReferences, sealOfItem, sha256 } from '../../../src/domain/hash.js';
import { write } from '../../../src/wire/json/json.js';
import { compact } from '../../../src/wire/json/json-reader.js';
import { HashedHeader } from '../../../src/wire/messages/message.js';
import type { JsonText } from '../../../src/wire/scalar.js';
import { anItem } from '../../support/fixtures.js';

const reference = {
  id: '8d8635e2-7c90-4963-99cc-794c98a68b1d',
  hash: 'c95d6352f524a770a787c16509237baf7eb59967699fb9a6d825270e7ec0eacf',
};
const header: HashedHeader = {
  id: '607e22ad-04fa-434a-a073-54f528ca14fb',
  type: 'broadcast',
  txtype: 'batch_pin',
  author: '0x0a65365587a65ce44938eab5a765fe8bc6532bdf',
  key: '0x0a65365587a65ce44938eab5a765fe8bc6532bdf',
  created: '2021-07-01T18:06:24.5817016Z',
  namespace: 'default',
  topics: ['default'],
  datahash: '5a7bbc074441fa3231d9c8fc942d68ef9b9b646dd234bb48c57826dc723b26fd',
};
/** The published vectors were made of records without a key. */
const { key: _, ...withoutKey } = header;

test('the hash of a value is that of its text', () => {
  expect(hashOfItem({ value: compact('"a string"') })).toBe(reference.hash);
});

test('the spelling of numbers and the order of keys matter', () => {
  const text = compact('{ "order": 17, "sku": "A-1", "price": 1.50 }');
  expect(hashOfItem({ value: text })).toBe('bb607708bce7a131655b8636e9e7eafbdbec1597c6ec25aa5df63046adb7ae81');
  expect(hashOfItem({ value: compact('{"order":17,"sku":"A-1","price":1.5}') })).not.toBe(hashOfItem({ value: text }));
});

test('the hash of a schema is that of its compact text', () => {
  const schema = `{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"Order","type":"object",
    "required":["order"],"properties":{"order":{"type":"integer"},"sku":{"type":"string"}}}`;
  expect(sha256(compact(schema))).toBe('07ffa5445ed0c5d8e345c51429002cec27cfc31d0b371301b741f700bc506d4f');
});

test('datahash covers ids and hashes in the order of the message', () => {
  expect(hashOfReferences([reference])).toBe(header.datahash);
  expect(hashOfReferences([])).toBe(sha256('[]'));
});

test('the hash of a message covers the compact header', () => {
  // The published record names no key, so its text is written here without that field.
  expect(sha256(write(HashedHeader, withoutKey))).toBe(
    '478fce65b1f15fbb1e80ce88f0388bea5ddba1c8f1aa58d771f25197787e3a11',
  );
  expect(hashOfHeader(header)).not.toBe(sha256(write(HashedHeader, withoutKey)));
});

test('with the array named topic the hash is the published one of FireFly', () => {
  const text = write(HashedHeader, withoutKey).replace('"topics":', '"topic":');
  expect(sha256(text)).toBe('81acf8c8f7982dbc49258535561461601cbe769752fecec0f8ce0358664979e6');
});

test('the hash of an item with value and blob covers the two hashes as text', () => {
  const value = compact('{"filename":"-","mimetype":"form-data; name=\\"file\\"; filename=\\"-\\"","size":31185}');
  const blob = '86e6b39b04b605dd1b03f70932976775962509d29ae1ad2628e684faabe48136';
  expect(hashOfItem({ value, blob: { hash: blob } })).toBe(
    '997af6a9a19f06cc8a46872617b8bf974b106f744b2e407e94cc6959aa8cf0b8',
  );
});

describe('the seal of an item', () => {
  const item = { ...anItem(), value: '"a file"' as JsonText };
  const blob = { hash: 'b'.repeat(64), size: 6, name: 'file.txt' };
  const { value: _, ...bare } = item;

  it('is the same for every place of its blob in the shared store, which is determined later', () => {
    const places = [{}, { public: 'QmHere' }, { public: 'QmThere' }];
    expect(new Set(places.map((place) => sealOfItem({ ...bare, blob: { ...blob, ...place } }))).size).toBe(1);
  });

  it('differs for any other description of the same bytes', () => {
    const described = [
      item,
      { ...item, validator: 'none' },
      { ...item, datatype: { name: 'order', version: '1.0' } },
      { ...item, created: '2026-01-15T10:00:01.000Z' },
      { ...bare, blob: { hash: item.hash, size: 8 } },
      { ...bare, blob },
      { ...item, blob },
      { ...bare, blob: { ...blob, size: 7 } },
      { ...bare, blob: { ...blob, name: 'other.txt' } },
    ];
    expect(new Set(described.map(sealOfItem)).size).toBe(described.length);
  });
});
