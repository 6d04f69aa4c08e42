import { expect, it } from 'vitest';
import { filterOf } from '../../../../../src/cli/stack/watching/logs.js';
import { readEntry } from '../../../../../src/cli/stack/watching/log-line.js';

const lines = ['{"level":"info","time":"t","msg":"one"}', '{"level":"warn","time":"t","msg":"two"}'];
const found = (flags: Parameters<typeof filterOf>[0]) =>
  lines.filter((line) => filterOf(flags)({ line, entry: readEntry(line) }));

it('a search of logs prints matches, or with --invert the others', () => {
  // A flag that was not given is undefined, not false.
  expect(found({ grep: 'one', invert: undefined })).toEqual([lines[0]]);
  expect(found({ grep: 'one', invert: true })).toEqual([lines[1]]);
  expect(found({ grep: 'three' })).toEqual([]);
  expect(found({ level: 'warn' })).toEqual([lines[1]]);
  expect(found({})).toEqual(lines);
});

it('a search for a request finds its records by the whole id', () => {
  const line = '{"level":"error","time":"t","request":"3fa8","msg":"failed"}';
  const isFound = (request: string) => filterOf({ request })({ line, entry: readEntry(line) });
  expect(isFound('3fa8')).toBe(true);
  expect(isFound('3fa')).toBe(false);
});
