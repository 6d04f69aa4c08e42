import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Data } from '../../../src/wire/data/data.js';
import { compact } from '../../../src/wire/json/json-reader.js';
import type { Message } from '../../../src/wire/messages/message.js';
import { noValue } from '../../../src/wire/scalar.js';
import { draftOf } from '../../../ui/src/pages/compose/draft-from-message.js';
import { type DefineValues, defineAction, judgeDefinition } from '../../../ui/src/pages/datatypes/define-action.js';
import { diffLines } from '../../../ui/src/pages/datatypes/line-diff.js';
import { identityAction, judgeIdentity } from '../../../ui/src/pages/network/identity-action.js';
import { uuid } from '../../support/fixtures.js';

const hash = 'ab'.repeat(32);
const at = '2026-01-31T12:00:00.000Z';
const values: DefineValues = { name: 'order', version: '1.0', schema: '{"type":"object", "n":1.0}' };

describe('the definition of a datatype', () => {
  it('has the exact text of its schema, which the command reads from stdin', () => {
    const action = defineAction(values);
    expect(action?.body).toBe('{"name":"order","version":"1.0","value":{"type":"object", "n":1.0}}');
    expect(action?.input).toBe(values.schema);
  });

  it.each([
    ['name', { name: '-' }],
    ['version', { version: '' }],
    ['schema', { schema: '{' }],
  ])('is not sent if its %s is invalid', (field, change) => {
    expect(Object.keys(judgeDefinition({ ...values, ...change }))).toEqual([field]);
    expect(defineAction({ ...values, ...change })).toBeUndefined();
  });
});

describe('an identity', () => {
  const identity = { name: 'shop', description: '', profile: '', key: '', idempotencyKey: '' };

  it('is registered with only the fields that were filled in', () => {
    expect(identityAction(identity)?.body).toBe('{"name":"shop"}');
    expect(identityAction({ ...identity, profile: '{"a": 1.0}' })?.body).toBe('{"name":"shop","profile":{"a": 1.0}}');
  });

  it.each([
    ['name', { name: '' }],
    ['profile', { profile: '[1]' }],
    ['key', { key: '0x1' }],
  ])('is not registered if its %s is invalid', (field, change) => {
    expect(Object.keys(judgeIdentity({ ...identity, ...change }))).toEqual([field]);
  });
});

describe('two texts side by side', () => {
  it('show removed lines beside added lines', () => {
    expect(diffLines('a\nb\nc', 'a\nx\ny\nc')).toEqual([
      { left: 'a', right: 'a', isSame: true },
      { left: 'b', right: 'x', isSame: false },
      { left: undefined, right: 'y', isSame: false },
      { left: 'c', right: 'c', isSame: true },
    ]);
  });

  it('show each line of both once and in order, and mark only differences', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', '')).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (left, right) => {
        const rows = diffLines(left, right);
        const side = (name: 'left' | 'right') => rows.flatMap((row) => (row[name] === undefined ? [] : [row[name]]));
        expect(side('left').join('\n')).toBe(left);
        expect(side('right').join('\n')).toBe(right);
        expect(rows.every(({ isSame, left: a, right: b }) => isSame === (a === b && a !== undefined))).toBe(true);
      }),
    );
  });

  it('may have 20,000 different lines', () => {
    const lines = (mark: string) => Array.from({ length: 20_000 }, (_, n) => `${mark}${n}`).join('\n');
    expect(diffLines(lines('a'), lines('b'))).toHaveLength(20_000);
  });
});

describe('a message that is sent again', () => {
  const header = {
    id: uuid(1),
    type: 'private' as const,
    txtype: 'none' as const,
    author: 'did:parley:org/alice',
    group: hash,
    key: `0x${'a'.repeat(40)}`,
    created: at,
    namespace: 'default',
    topics: ['x', 'y'],
    topic: [],
    tag: 't',
    datahash: hash,
  };
  const message: Message = { header, localNamespace: 'default', hash, state: 'confirmed', data: [] };
  const item = (more: Partial<Data>): Data => {
    const value = compact('{"n": 1.0}');
    return { id: uuid(2), validator: 'json', namespace: 'default', hash, created: at, value, ...more };
  };

  it('has values as text, and files and missing data by their ids', () => {
    const data = [
      item({ datatype: { name: 'order', version: '1' } }),
      item({ id: uuid(3), blob: { hash, size: 3, name: 'a.pdf' } }),
      item({ id: uuid(4), value: noValue }),
    ];
    const references = [...data.map(({ id }) => ({ id, hash })), { id: uuid(5), hash }];
    const draft = draftOf({ ...message, data: references }, data);
    expect(draft).toMatchObject({ kind: 'private', group: hash, topics: 'x, y', tag: 't', isUnpinned: true });
    expect(draft?.items).toMatchObject([
      { kind: 'json', text: '{"n":1.0}', datatype: 'order@1' },
      { kind: 'data', id: uuid(3), name: 'a.pdf' },
      { kind: 'data', id: uuid(4) },
      { kind: 'data', id: uuid(5) },
    ]);
  });

  it('is not a definition', () => {
    expect(draftOf({ ...message, header: { ...header, type: 'definition' } }, [])).toBeUndefined();
  });
});
