import fc from 'fast-check';
import type { RowsOptions } from '../../../src/ports/database.js';
import {
  above,
  atLeast,
  atMost,
  below,
  both,
  type Columns,
  every,
  having,
  mentioning,
  not,
  present,
  startingWith,
  type Where,
} from '../../../src/ports/tables/where.js';

/** Texts in stored rows and in conditions. */
export const word = fc.constantFrom('a', 'b', 'c', 'é', '\u{1f600}', '\uffee', '', 'A', 'ab', 'aB%', '_b', '10', '9');
/** Texts with spaces, like the keys of definitions, which follow their topic. */
export const spaced = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
export const namespace = fc.constantFrom('default', 'svc_system');
export const state = fc.constantFrom('ready' as const, 'confirmed' as const, 'rejected' as const);
export const count = fc.integer({ min: 0, max: 12 });

const textTest = fc.oneof(
  word.map(above),
  word.map(atMost),
  word.map(startingWith),
  fc.oneof(word, fc.array(word, { maxLength: 2 })).map((some) => not(some)),
);
const textMatch = fc.oneof(word, fc.array(word, { maxLength: 4 }), textTest);
const optionalMatch = fc.oneof(textMatch, fc.constant(null), fc.constant(present));
const column: fc.Arbitrary<Columns<'messages'>> = fc.oneof(
  fc.record({ id: textMatch }),
  fc.record({ tag: optionalMatch }),
  fc.record({ batch: optionalMatch }),
  fc.record({ idempotencyKey: optionalMatch }),
  fc.record({ rank: textMatch }),
  { weight: 2, arbitrary: fc.record({ state: fc.oneof(state, fc.array(state, { maxLength: 2 }), state.map(not)) }) },
  fc.record({
    sequence: fc.oneof(
      count,
      fc.array(count, { maxLength: 6 }),
      count.map(above),
      fc.tuple(count, count).map(([low, high]) => both(atLeast(low), below(high))),
    ),
  }),
  fc.record({ sizeBytes: fc.oneof(fc.integer({ min: 0, max: 3 }), count.map(atMost)) }),
  fc.record({
    topics: fc.oneof(
      word.map(having),
      word.map((text) => mentioning(text)),
    ),
  }),
);
/** Selections of messages by columns. */
export const where: fc.Arbitrary<Where<'messages'>> = fc
  .tuple(fc.oneof(namespace, fc.constant(every), fc.array(namespace)), fc.array(column, { maxLength: 2 }))
  .map(([scope, columns]) => columns.reduce((all, one) => ({ ...all, ...one }), { namespace: scope }))
  .map((all) => ({ namespace: every, ...all }));
export const options: fc.Arbitrary<RowsOptions<'messages'>> = fc.record(
  {
    limit: fc.integer({ min: 0, max: 20 }),
    by: fc.constantFrom('tag' as const, 'sizeBytes' as const, 'rank' as const),
    newestFirst: fc.boolean(),
  },
  { requiredKeys: ['limit'] },
);
