import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createKnexDatabase } from '../../../src/adapters/database/knex.js';
import { createMemoryDatabase, createMemoryState } from '../../../src/adapters/database/memory/memory.js';
import { createPostgresDatabase } from '../../../src/adapters/database/postgres.js';
import { type Residence, type Residences, residences } from '../../../src/adapters/database/resident/residences.js';
import { createSilentLog } from '../../../src/adapters/log/silent.js';
import {
  ConflictError,
  type Database,
  type ListQuery,
  type RowsOptions,
  type Unit,
} from '../../../src/ports/database.js';
import type { NewRow } from '../../../src/ports/tables/tables.js';
import { every, type Where } from '../../../src/ports/tables/where.js';
import type { Condition, Sort } from '../../../src/wire/lists/query.js';
import { hasNoPostgres, newSchema, sharedPostgres } from '../../support/postgres.js';
import { aMessage } from './rows.js';
import { count, namespace, options, spaced, state, where, word } from './selections.js';

type Step =
  | { readonly do: 'insert' | 'put'; readonly rows: readonly NewRow<'messages'>[] }
  | { readonly do: 'exact'; readonly keys: readonly { readonly id: string; readonly hash: string }[] }
  | { readonly do: 'first' | 'last' | 'has' | 'count' | 'remove'; readonly where: Where<'messages'> }
  | { readonly do: 'rows'; readonly where: Where<'messages'>; readonly options: RowsOptions<'messages'> }
  | { readonly do: 'update'; readonly where: Where<'messages'>; readonly changes: Partial<NewRow<'messages'>> }
  | { readonly do: 'updateEach'; readonly rows: readonly { sequence: number; tag: string | null; rank: string }[] }
  | { readonly do: 'throw' };

/** An action on a database: some concurrent units, a read outside, or a restart. */
type Act =
  | { readonly do: 'units'; readonly units: readonly (readonly Step[])[] }
  | { readonly do: 'read'; readonly query: ListQuery }
  | { readonly do: 'restart' };

/** Ids of each form that SQLite keeps as bytes, and similar texts. */
const ids = [
  '3fa85f64-5717-4562-b3fc-2c963f66afa6',
  '3fa85f64-1111-4562-b3fc-2c963f66afa6',
  '3fa85f64'.repeat(8),
  `0x3f${'cd'.repeat(19)}`,
  `0x3F${'cd'.repeat(19)}`,
  '3fa85f6457174562b3fc2c963f66afa6',
  'a8',
  '.a',
  '',
];
const id = fc.oneof(word, fc.constantFrom(...ids));
const idPart = fc.constantFrom(
  '3',
  '3f',
  '3fa',
  '3fa85f64',
  '3fa85f64-',
  '3fa85f64-5',
  '3fa85f643',
  '0',
  '0x',
  '0x3f',
  '-',
  'A',
);

/** Times, and ranks of undecided messages, which sort after all times. */
const time = fc.constantFrom(
  '2026-01-15T10:00:00.000Z',
  '2026-01-15T10:00:00.007Z',
  '2026-02-01T00:00:00.000Z',
  '1969-12-31T23:59:59.999Z',
  '~',
  '~2026-01-15T10:00:00.000Z',
);
const timePart = fc.constantFrom('2026', '2026-01-15T', '-01', '7Z', 'z', 'Z', '~', '~2', '');

const values = {
  namespace,
  id,
  state,
  tag: fc.option(fc.oneof(word, spaced), { nil: null }),
  batch: fc.option(id, { nil: null }),
  batchHash: fc.option(id, { nil: null }),
  idempotencyKey: fc.option(word, { nil: null }),
  rank: time,
  sizeBytes: fc.integer({ min: 0, max: 3 }),
  topics: fc.array(word, { maxLength: 2 }),
};
const row = fc.record(values).map((some) => aMessage(some));
const change = fc
  .record(values, { requiredKeys: [] })
  .filter((some) => Object.keys(some).length > 0)
  .map((some): Partial<NewRow<'messages'>> => some);

const textField = fc.constantFrom('id', 'tag', 'batch', 'batchHash', 'idempotencyKey');
const comparison = fc.constantFrom(
  'equal' as const,
  'above' as const,
  'atLeast' as const,
  'below' as const,
  'atMost' as const,
);
const part = fc.constantFrom(
  'contains' as const,
  'startsWith' as const,
  'endsWith' as const,
  'alike' as const,
  'contains' as const,
);
const anyPart = (field: fc.Arbitrary<string>) =>
  fc.record({
    field,
    is: part,
    value: fc.oneof(word, idPart, fc.constantFrom('%', '_', 'B', '\u{10ffff}', '\ud7ff')),
    ignoresCase: fc.boolean(),
  });
const elementCondition: fc.Arbitrary<Condition> = fc.oneof(
  anyPart(fc.constant('value')),
  fc.record({ field: fc.constant('value'), is: comparison, value: word }),
  fc.record({ field: fc.constant('value'), is: fc.constant('in' as const), values: fc.array(word, { maxLength: 3 }) }),
  fc.record({ field: fc.constant('value'), is: fc.constant('notNull' as const) }),
);
const simpleCondition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ field: textField, is: comparison, value: id }),
  fc.record({ field: fc.constantFrom('sequence', 'sizeBytes'), is: comparison, value: count }),
  fc.record({ field: fc.constant('state'), is: fc.constant('equal' as const), value: state }),
  fc.record({ field: fc.constant('state'), is: fc.constant('in' as const), values: fc.array(state, { maxLength: 2 }) }),
  fc.record({ field: textField, is: fc.constant('in' as const), values: fc.array(id, { maxLength: 4 }) }),
  fc.record({
    field: fc.constant('sequence'),
    is: fc.constant('in' as const),
    values: fc.array(count, { maxLength: 6 }),
  }),
  fc.record({
    field: fc.constantFrom('tag', 'batch', 'topics'),
    is: fc.constantFrom('null' as const, 'notNull' as const),
  }),
  anyPart(fc.constantFrom('id', 'id', 'tag', 'batch', 'state')),
  fc.record({ field: fc.constant('rank'), is: comparison, value: time }),
  fc.record({ field: fc.constant('rank'), is: fc.constant('in' as const), values: fc.array(time, { maxLength: 3 }) }),
  fc.record({ field: fc.constant('rank'), is: part, value: timePart, ignoresCase: fc.boolean() }),
  fc.record({
    field: textField,
    is: comparison,
    value: fc.constantFrom('9', '10', '123', '-10'),
    asNumber: fc.constant(true),
  }),
  fc.record({ field: fc.constant('topics'), is: fc.constant('has' as const), of: elementCondition }),
  fc.record({ field: fc.constant('topics'), is: fc.constant('several' as const) }),
  fc.record({ field: fc.constant('data'), is: fc.constant('written' as const), of: elementCondition }),
  fc.record({ field: fc.constant('tag'), is: fc.constant('behindSpace' as const), of: elementCondition }),
);
const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { weight: 6, arbitrary: simpleCondition },
    {
      weight: 1,
      arbitrary: fc.record({
        is: fc.constantFrom('any' as const, 'all' as const),
        of: fc.array(tie('condition'), { maxLength: 3 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ is: fc.constant('not' as const), of: tie('condition') }) },
  ),
}));
const sort: fc.Arbitrary<Sort> = fc.record({
  field: fc.constantFrom('sequence', 'tag', 'state', 'sizeBytes', 'rank'),
  descending: fc.boolean(),
  nullsFirst: fc.boolean(),
});
const query: fc.Arbitrary<ListQuery> = fc.record({
  namespace: fc.oneof(namespace, fc.constant(every)),
  where: fc.array(condition, { maxLength: 2 }),
  sort: fc.array(sort, { maxLength: 2 }),
  skip: fc.integer({ min: 0, max: 3 }),
  limit: fc.integer({ min: 0, max: 20 }),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('insert' as const), rows: fc.array(row, { maxLength: 2 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('put' as const), rows: fc.array(row, { maxLength: 3 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('rows' as const), where, options }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('first' as const, 'last' as const, 'has' as const, 'count' as const),
      where,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('update' as const), where, changes: change }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('updateEach' as const),
      rows: fc.array(fc.record({ sequence: count, tag: fc.option(word, { nil: null }), rank: time }), { maxLength: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('exact' as const),
      keys: fc.array(fc.record({ id, hash: fc.constantFrom(aMessage().hash, '') }), { maxLength: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), where }) },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'throw' }) },
);
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('units' as const),
      units: fc.array(fc.array(step, { maxLength: 5 }), { maxLength: 5 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('read' as const), query }) },
  { weight: 1, arbitrary: fc.constant<Act>({ do: 'restart' }) },
);

/** Which messages the adapters keep in memory: as many as in a node, few, or none. */
const residence: fc.Arbitrary<Residence | undefined> = fc.oneof(
  fc.constant(residences.messages),
  fc.constant(undefined),
  fc.record({
    open: fc.constantFrom(
      'all' as const,
      'none' as const,
      { column: 'state', values: ['ready'] },
      { column: 'state', values: ['ready', 'rejected'] },
    ),
    maxOpen: fc.constantFrom(0, 2, 6, 100),
    maxRecent: fc.constantFrom(0, 1, 3, 100),
    isLog: fc.boolean(),
  }),
);

/** Opens a database that is empty at the first call for a number, and has its rows at later calls. */
type Open = (run: number, parts: { readonly residences: Residences }) => Promise<Database>;

async function compare(open: Open): Promise<void> {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 12 }), residence, async (acts, messages) => {
      const memory = createMemoryState();
      const run = (runs += 1);
      const expected = await play(acts, async () => createMemoryDatabase(memory));
      const actual = await play(acts, () => open(run, { residences: { ...(messages && { messages }) } }));
      expect(actual).toEqual(expected);
    }),
    // A test that reaches its time limit while it shrinks a counterexample would not show it.
    { numRuns: 60, interruptAfterTimeLimit: 120_000, markInterruptAsFailure: true },
  );
}

it('after any sequence of actions, memory and SQLite answer alike', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'database-'));
  try {
    await compare((run, parts) =>
      createKnexDatabase({ ...parts, file: join(directory, `${run}.sqlite`), log: createSilentLog() }),
    );
  } finally {
    await rm(directory, { recursive: true });
  }
});

it.skipIf(hasNoPostgres)('after any sequence of actions, memory and PostgreSQL answer alike', async () => {
  const server = await sharedPostgres();
  const readAddress = async () => server.address();
  const prefix = newSchema();
  await compare((run, parts) =>
    createPostgresDatabase({
      ...parts,
      readAddress,
      schema: `${prefix}_${run}`,
      owner: 'a node',
      log: createSilentLog(),
    }),
  );
});

/** Returns all answers of a database to these actions, and its final contents. */
async function play(acts: readonly Act[], open: () => Promise<Database>): Promise<unknown[]> {
  const answers: unknown[] = [];
  let lives = 0;
  let hasUnused = false;
  let database = await open();
  for (const each of acts) {
    if (each.do === 'read') answers.push(await database.lists.find('messages', each.query));
    if (each.do === 'restart') {
      if (hasUnused) {
        // A number that no row has may be given out again after a restart (`Database`); here none is left.
        const last = aMessage({ id: 'the last of a life', hash: `${(lives += 1)}` });
        await database.transaction((unit) => unit.insert('messages', [last]));
        hasUnused = false;
      }
      await database.close();
      database = await open();
    }
    if (each.do !== 'units') continue;
    const endings = await Promise.allSettled(
      each.units.map((steps) => database.transaction((unit) => walk(unit, steps))),
    );
    for (const [i, { status }] of endings.entries()) {
      hasUnused = leavesUnused(each.units[i] ?? [], status === 'rejected', hasUnused);
    }
    answers.push(
      endings.map((ending, i) =>
        ending.status === 'fulfilled' ? ending.value : refusal(each.units[i], ending.reason),
      ),
    );
  }
  answers.push(await database.rows('messages', { namespace: every }, { limit: 1_000 }));
  await database.close();
  return answers;
}

/** Whether the newest number may belong to no row: to a failed unit, or to a row that existed already. */
function leavesUnused(unit: readonly Step[], hasFailed: boolean, before: boolean): boolean {
  if (hasFailed || unit.some((each) => each.do === 'put')) return true;
  return before && !unit.some((each) => each.do === 'insert' && each.rows.length > 0);
}

async function walk(unit: Unit, steps: readonly Step[]): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const each of steps) answers.push(await take(unit, each));
  return answers;
}

async function take(unit: Unit, each: Step): Promise<unknown> {
  switch (each.do) {
    case 'insert':
    case 'put':
      return unit[each.do]('messages', each.rows);
    case 'rows':
      return unit.rows('messages', each.where, each.options);
    case 'exact': {
      const rows = await unit.exact('messages', ['id', 'hash'], each.keys);
      return [...rows].sort((a, b) => a.sequence - b.sequence);
    }
    case 'first':
    case 'last':
    case 'has':
    case 'count':
    case 'remove':
      return unit[each.do]('messages', each.where);
    case 'update':
      return unit.update('messages', each.where, each.changes);
    case 'updateEach':
      return unit.updateEach('messages', 'sequence', each.rows);
    case 'throw':
      throw new Error('refused');
  }
}

/**
 * Returns why a unit was refused, as far as it is specified: not which of two keys a row violates first, nor whether a
 * duplicate key or an error of the unit comes first.
 */
function refusal(unit: readonly Step[] | undefined, reason: unknown): unknown {
  if (unit?.some((each) => each.do === 'throw')) return 'refused';
  return reason instanceof ConflictError ? `conflict in ${reason.table}` : String(reason);
}
