import ts from '@typescript/typescript6';
import { expect, it } from 'vitest';
import { loadCommands } from '../../support/command-reference.js';
import type { Source } from '../../support/tidy/sources.js';
import { typedFlags, untypedFlags } from '../../support/typed-flags.js';

it('every flag is used by a test of the built program', async () => {
  expect(untypedFlags(await loadCommands())).toEqual([]);
});

it.each([
  [`ok('pool', 'create', 'coins', '--type', type)`, 'pool create --type'],
  [`const words = ['mint', '1']; ok(...words, '--pool', 'coins')`, 'mint --pool'],
  [`for (const verb of ['mint', 'burn']) ok(verb, '1', '--pool', 'coins')`, 'mint --pool burn --pool'],
  [`const lines = (...words) => ok('logs', ...words); lines('-n', '2')`, 'logs -n'],
  [`test.each(['mint', 'burn'])('%s', (verb) => ok(verb, '-q'))`, 'mint -q burn -q'],
  ['cli.shell(`stack logs -f --grep ${text} | stack mint --pool x`)', 'logs -f logs --grep mint --pool'],
  [`ok('logs', 'mint', '--grep', 'x'); other('a', 'mint', '--to'); f('a'); '--from'`, 'logs --grep mint --grep'],
])('%s types %s', (text, expected) => {
  const tree = ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true);
  const source: Source = { path: 'a.ts', text, tree, imports: [] };
  const found = typedFlags([source], new Set(['logs', 'mint', 'burn', 'pool create']));
  expect([...found].join(' ')).toBe(expected);
});
