import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../src/adapters/database/memory/memory.js';
import { kindOf, tableNames } from '../../../../src/adapters/database/tables/tables.js';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import { createCollections } from '../../../../src/node/lists/collections.js';
import { createIntegrity } from '../../../../src/pipeline/records/integrity.js';
import type { ValueField } from '../../../../src/wire/lists/field.js';
import { type CollectionName, fields, fieldsOf } from '../../../../src/wire/lists/fields.js';
import { readFilter } from '../../../../src/wire/lists/filter.js';

const names = Object.keys(fields).filter((name): name is CollectionName => name in fields);
const bases: Readonly<Record<ValueField['type'], readonly string[]>> = {
  uuid: ['text', 'id'],
  hash: ['text', 'id'],
  key: ['text', 'id'],
  did: ['text'],
  txtype: ['text', 'word'],
  text: ['text', 'id', 'word'],
  amount: ['text'],
  pool: ['text'],
  time: ['text', 'time'],
  integer: ['integer'],
  boolean: ['boolean'],
  texts: ['json'],
  hashes: ['json'],
  chainhash: ['text', 'id'],
  chainhashes: ['json'],
  json: ['json'],
};
const examples: Readonly<Record<ValueField['type'], string>> = {
  uuid: '9b1f6c2e-7a34-4d0b-8a55-2f9c3e6d7a01',
  hash: 'ab'.repeat(32),
  hashes: 'ab'.repeat(32),
  chainhash: '0xAB',
  chainhashes: '0xab',
  key: '0xab',
  did: 'did:parley:org/a',
  txtype: 'none',
  text: 'a',
  texts: 'a',
  json: '@a',
  integer: '1',
  amount: '1',
  pool: 'coins',
  boolean: 'true',
  time: '2026-01-15T10:00:00Z',
};

/** Collections whose records have fields that their rows do not have. */
const derived: readonly CollectionName[] = ['identities', 'subscriptions'];
const nothing = {
  activityOf: () => undefined,
  attemptsOf: () => undefined,
  clock: createManualClock(),
  integrity: createIntegrity({ log: createSilentLog() }),
  url: () => '',
};

describe.each(names)('the fields of %s', (name) => {
  const table = derived.includes(name) ? undefined : tableNames.find((each) => each === name);

  it.runIf(table !== undefined)('are columns of their kind, since the records are the rows of a table', () => {
    for (const field of Object.values(fieldsOf(name))) {
      if (table === undefined || !('type' in field) || 'constant' in field) continue;
      for (const column of 'columns' in field ? field.columns : [field.column]) {
        expect([column, bases[field.type]]).toContainEqual(
          expect.arrayContaining([kindOf(table, column)?.replace('?', '')]),
        );
      }
    }
  });

  it('can be used in filters of the collection', async () => {
    const collection = createCollections(createMemoryDatabase(), nothing)[name];
    for (const [field, definition] of Object.entries(fieldsOf(name))) {
      const values = 'type' in definition ? [examples[definition.type], `!${examples[definition.type]}`] : ['true'];
      const where = values.map((value) => readFilter(field, definition, [value]));
      expect(await collection.count({ namespace: 'default', where })).toBe(0);
    }
  });
});
