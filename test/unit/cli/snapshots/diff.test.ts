import { expect, it } from 'vitest';
import { partyLines } from '../../../../src/cli/snapshots/diff.js';
import { memoryOutput } from '../memory-output.js';

it.each([false, true])(
  'a difference names messages by whole ids, except on a terminal (terminal: %s)',
  (isTerminal) => {
    const id = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
    const message = { id, type: 'broadcast', state: 'confirmed', namespace: 'default', hash: 'ab' };
    const changed = [{ id, before: 'ready', after: 'confirmed' }];
    const { output } = memoryOutput({ isTerminal });
    const difference = { party: 'bob', added: [message], removed: [message], changed, balances: [] };
    const shown = isTerminal ? '3fa85f64' : id;
    expect(partyLines(difference, output.out)).toEqual([
      'bob: messages: 1 new, 1 missing, 1 changed',
      expect.stringContaining(` ${shown} broadcast confirmed`),
      expect.stringContaining(` ${shown} broadcast confirmed`),
      expect.stringContaining(` ${shown} ready → confirmed`),
    ]);
  },
);
