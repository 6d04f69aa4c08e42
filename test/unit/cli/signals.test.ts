import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { endOnInterrupt } from '../../../src/cli/signals.js';
import { memoryOutput } from './memory-output.js';

it.each([
  [true, '\n'],
  [false, ''],
])('Ctrl-C ends the program, and on a terminal (%s) the line with ^C', (isTerminal, written) => {
  const { output, err } = memoryOutput({ isTerminal });
  const signals = new EventEmitter() as EventEmitter & Pick<NodeJS.Process, 'once'>;
  const ends: string[] = [];
  endOnInterrupt(
    () => output,
    () => ends.push(err()),
    signals,
  );
  signals.emit('SIGINT');
  expect(ends).toEqual([written]);
});
