import { expect, it } from 'vitest';
import { assignment } from '../../../../../src/cli/stack/watching/assignment.js';

it.each([
  ['http://127.0.0.1:16000/api', 'http://127.0.0.1:16000/api'],
  ['/home/a b/key', "'/home/a b/key'"],
  ['a#b', "'a#b'"],
  ['a$HOME', "'a$HOME'"],
  ['say "x"', `'say "x"'`],
  ['it\'s $5 `x` \\ "y"', '"it\'s \\$5 \\`x\\` \\\\ \\"y\\""'],
  ['', ''],
])('a .env file gets the value %s in quotes where it needs them', (value, quoted) => {
  expect(assignment('dotenv', 'NAME', value)).toBe(`NAME=${quoted}`);
});

it.each([
  ['shell', "export NAME='a b'"],
  ['fish', "set -gx NAME 'a b';"],
  ['powershell', "$Env:NAME = 'a b'"],
  ['github', 'NAME=a b'],
] as const)('the format %s has its own quotes', (format, expected) => {
  expect(assignment(format, 'NAME', 'a b')).toBe(expected);
});
