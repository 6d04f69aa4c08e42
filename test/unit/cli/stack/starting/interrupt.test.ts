import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { noteOnInterrupt } from '../../../../../src/cli/stack/starting/interrupt.js';
import { memoryOutput } from '../../memory-output.js';

function interrupted(hasBegun: boolean | 'perhaps', hasEnded = false, notBegunText?: string): string {
  const signals = new EventEmitter() as EventEmitter & Pick<NodeJS.Process, 'prependListener' | 'off'>;
  const { output, err } = memoryOutput();
  const note = noteOnInterrupt({ name: 'dev', program: 'parley', output, notBegunText }, signals);
  if (hasBegun) note.launched();
  if (hasBegun === true) note.begun();
  if (hasEnded) note.end();
  signals.emit('SIGINT');
  return err();
}

it('Ctrl-C during a start reports what is left, how to continue and how to end it', () => {
  expect(interrupted(true)).toMatch(/^dev is still starting\..*parley start dev.*parley stop dev\n$/);
  expect(interrupted(false)).toBe('Nothing of dev was started.\n');
  expect(interrupted('perhaps')).toMatch(/^dev may be starting\..*parley start dev.*parley stop dev\n$/);
  expect(interrupted(true, true)).toBe('');
});

it('Ctrl-C during a restart, before anything starts again, reports that it does not', () => {
  const text = 'dev stops, and is not started again.';
  expect(interrupted(false, false, text)).toBe(`${text}\n`);
  expect(interrupted(true, false, text)).toMatch(/^dev is still starting\./);
});
