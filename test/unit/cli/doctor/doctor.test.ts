import { expect, test } from 'vitest';
import { checkText } from '../../../../src/cli/doctor/doctor.js';
import { memoryOutput } from '../memory-output.js';

const check = {
  name: 'stacks',
  state: 'warn',
  text: 'the supervisor of the stack dev, process 1234, has left three services that nobody stops',
  remedy: 'stack doctor --fix',
} as const;

test("a finding is broken between words at the terminal's width, with its remedy below", () => {
  const { output } = memoryOutput({ isTerminal: true, columns: 60, environment: { NO_COLOR: '1' } });
  const lines = checkText(check, output).split('\n');
  expect(lines).toEqual([
    'warn  stacks   the supervisor of the stack dev, process',
    '               1234, has left three services that nobody',
    '               stops',
    '               stack doctor --fix',
  ]);
});

test('a finding for a program is one line, with its remedy on the next', () => {
  expect(checkText(check, memoryOutput().output)).toBe(
    `warn  stacks   ${check.text}\n${' '.repeat(15)}${check.remedy}`,
  );
});
