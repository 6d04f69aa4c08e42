import fc from 'fast-check';
import { expect, it } from 'vitest';
import { embeddedMessage } from '../../../src/pipeline/records/message-shape.js';
import { messageRecord } from '../../../src/pipeline/records/records.js';
import type { Database } from '../../../src/ports/database.js';
import type { Shape } from '../../../src/ports/tables/shape.js';
import type { MessageRow } from '../../../src/ports/tables/tables.js';
import { every } from '../../../src/ports/tables/where.js';
import { textOf, write } from '../../../src/wire/json/json.js';
import { Message } from '../../../src/wire/messages/message.js';
import { aMessage, aPin, all, anOperation } from './rows.js';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', ' ', 'a b', '"\\/', "'%s%n", '\u0000', '\u0001\b\t\n\f\r\u001e\u001f\u007f', '\u2028\u{1f600}é'),
);
const optional = fc.option(text, { nil: null });
const hash = fc.constantFrom('ab'.repeat(32), 'cd'.repeat(32));
const item = fc.record({ id: text, hash, seal: text });
const message = fc
  .record({
    id: text,
    hash,
    type: fc.constantFrom('broadcast' as const, 'definition' as const),
    author: text,
    group: optional,
    cid: optional,
    topics: fc.array(text, { maxLength: 3 }),
    tag: optional,
    parent: fc.option(fc.record({ type: fc.constant('token_transfer' as const), id: text }), { nil: null }),
    data: fc.array(item, { maxLength: 3 }),
    pins: fc.array(hash, { maxLength: 2 }),
    state: fc.constantFrom('ready' as const, 'confirmed' as const),
    batch: optional,
    txid: optional,
    confirmed: optional,
    rejected: optional,
    rejectReason: optional,
    idempotencyKey: optional,
  })
  .map(({ parent, ...values }) =>
    aMessage({ ...values, parentType: parent?.type ?? null, parentId: parent?.id ?? null }),
  );

/** Tests rows as JSON texts. */
export function describeTexts(database: () => Database): void {
  it('texts have the members of their shape, in the order of their keys', async () => {
    await database().transaction((unit) =>
      unit.insert('messages', [aMessage({ id: 'a' }), aMessage({ id: 'b', tag: 'x "y"' })]),
    );
    const shape: Shape<'messages'> = { id: 'id', inner: { is: 'object', of: { tag: 'tag', size: 'sizeBytes' } } };
    const { hash: known } = aMessage();
    const rows = [
      { id: 'b', hash: known },
      { id: 'c', hash: known },
      { id: 'a', hash: known },
      { id: 'a', hash: 'other' },
      { id: 'b', hash: known },
    ];
    expect(await database().texts('messages', shape, ['id', 'hash'], rows)).toEqual([
      '{"id":"b","inner":{"tag":"x \\"y\\"","size":1040}}',
      undefined,
      '{"id":"a"}',
      undefined,
      '{"id":"b","inner":{"tag":"x \\"y\\"","size":1040}}',
    ]);
    expect(await database().texts('messages', shape, ['id', 'hash'], [])).toEqual([]);
  });

  it('texts of every kind of column', async () => {
    await database().transaction(async (unit) => {
      await unit.insert('operations', [anOperation({ input: { a: [1, null] }, output: null, nonce: 0 })]);
      await unit.insert('operations', [anOperation({ id: 'other', output: { b: '%s' }, error: '' })]);
      await unit.insert('pins', [aPin({ spent: true, block: 2 ** 40 })]);
    });
    const operation: Shape<'operations'> = { type: 'type', input: 'input', output: 'output', e: 'error', n: 'nonce' };
    const ids = [{ id: 'operation' }, { id: 'other' }];
    expect(await database().texts('operations', operation, ['id'], ids)).toEqual([
      '{"type":"blockchain_pin_batch","input":{"a":[1,null]},"n":0}',
      '{"type":"blockchain_pin_batch","input":{},"output":{"b":"%s"},"e":""}',
    ]);
    const pin: Shape<'pins'> = { block: 'block', spent: 'spent', masked: 'masked' };
    const rows = await database().rows('pins', {}, all);
    const texts = await database().texts('pins', pin, ['context', 'batch'], rows);
    expect(texts).toEqual([`{"block":${2 ** 40},"spent":true,"masked":false}`]);
  });

  it('a message embedded in an event is the message of the API, with `batchID`', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(message, { minLength: 1, maxLength: 4, selector: ({ id, hash }) => textOf([id, hash]) }),
        async (rows) => {
          await database().transaction(async (unit) => {
            await unit.remove('messages', { namespace: every });
            await unit.insert(
              'messages',
              rows.map((row, i) => ({ ...row, namespace: `namespace${i}` })),
            );
          });
          const stored = await database().rows('messages', { namespace: every }, all);
          const texts = await database().texts('messages', embeddedMessage, ['id', 'hash'], stored);
          expect(texts).toEqual(stored.map(expectedText));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('the text of a message has every member of its schema', async () => {
    const whole = aMessage({
      group: 'ab'.repeat(32),
      cid: 'cid',
      tag: 'tag',
      parentType: 'token_transfer',
      parentId: 'parent',
      batch: 'batch',
      txid: 'tx',
      confirmed: '2026-01-15T09:58:10.007Z',
      rejected: 'then',
      rejectReason: 'no',
      idempotencyKey: 'k',
    });
    await database().transaction((unit) => unit.insert('messages', [whole]));
    const [found = '{}'] = await database().texts('messages', embeddedMessage, ['id', 'hash'], [whole]);
    const parsed: unknown = JSON.parse(found);
    expect(Object.keys(parsed as object)).toEqual(Object.keys(Message.properties));
    const { header } = parsed as { readonly header: object };
    expect(Object.keys(header)).toEqual(Object.keys(Message.properties.header.properties));
  });
}

function expectedText(row: MessageRow): string {
  return write(Message, { ...messageRecord(row), ...(row.batch !== null && { batchID: row.batch }) });
}
