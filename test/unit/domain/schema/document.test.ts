import { expect, test } from 'vitest';
import { createDatatypes } from '../../../../src/domain/datatype.js';
import { currentRules, firstRules } from '../../../../src/domain/network/network-rules.js';
import { textOf } from '../../../../src/wire/json/json.js';
import { codeOf } from '../../../support/codes.js';

const datatypes = createDatatypes();
const rules = currentRules.validation;

test.each<[string, unknown]>([
  ['with a remote $ref', { $ref: 'https://example.org/schema.json' }],
  ['with a file: $ref', { $ref: 'file:///etc/passwd' }],
  ['with a $ref to nothing', { $ref: '#/$defs/none' }],
  ['with a $ref to the meta-schema', { $ref: 'https://json-schema.org/draft/2020-12/schema' }],
  ['with a $ref to what is no schema', { $ref: '#/title', title: 'x' }],
  ['with a malformed part that becomes a schema by a $ref', { $ref: '#/x', x: { type: 5 } }],
  ['with an anchor twice', { allOf: [{ $anchor: 'a' }, { $anchor: 'a' }] }],
  ['with an id twice', { allOf: [{ $id: 'a' }, { $id: 'a' }] }],
  ['with a host beyond ASCII', { $id: 'https://b%C3%BCcher.example/order' }],
  ['with such a host in an unknown keyword', { additionalItems: { $id: 'https://bücher.example/order' } }],
  [
    'with a relative $ref to another query of an opaque URI',
    { $id: 'urn:a', $ref: '?#', $defs: { b: { $id: 'urn:a?' } } },
  ],
])('a schema is refused %s', (_, schema) => {
  expect(codeOf(() => datatypes.compile(textOf(schema), rules))).toBe('FF10196');
});

test.each<[string, unknown]>([
  [
    'a host in Punycode',
    { $id: 'https://xn--a-6s0m.example/a', $ref: 'https://XN--a-6s0m.example/b', $defs: { b: { $id: 'b' } } },
  ],
  ['other characters beyond ASCII', { $id: 'https://x.y/%C3%BC', $ref: '%C3%BC/b', $defs: { b: { $id: '%C3%BC/b' } } }],
  ['a circumflex', { additionalItems: { $id: 'https://x.y/a^b' }, $ref: 'https://x.y/a%5Eb' }],
])('a reference by a URI with %s resolves, whatever the version of Node knows of it', (_, schema) => {
  expect(codeOf(() => datatypes.compile(textOf(schema), rules))).toBeUndefined();
});

test('an identifier is short in networks that count by the second budget, and of any length in older ones', () => {
  const of = (characters: number) => textOf({ $id: 'https://x.y/'.padEnd(characters, 'a') });
  const text = of(2_049);
  expect(codeOf(() => datatypes.compile(of(2_048), rules))).toBeUndefined();
  expect(codeOf(() => datatypes.compile(text, rules))).toBe('FF10196');
  expect(codeOf(() => datatypes.compile(text, firstRules.validation))).toBeUndefined();
});
