import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { noteOnInterrupt } from '../../../../../src/cli/stack/starting/interrupt.js';
import { memoryOutput } from '../../memory-output.js';

function interrupted(hasBegun: boolean, hasEnded = false): string {
  const signals = new EventEmitter() as EventEmitter & Pick<NodeJS.Process, 'prependListener' | 'off'>;
  const { output, err } = memoryOutput();
  const note = noteOnInterrupt({ name: 'dev', program: 'parley', output }, signals);
  if (hasBegun) note.begun();
  if (hasEnded) note.end();
  signals.emit('SIGINT');
  return err();
}

it('Ctrl-C during a start says what is left, how to go on and how to end it', () => {
  expect(interrupted(true)).toMatch(/^dev is still starting\..*parley start dev.*parley stop dev\n$/);
  expect(interrupted(false)).toBe('Nothing of dev was started.\n');
  expect(interrupted(true, true)).toBe('');
});
