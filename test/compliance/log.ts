import { describe, expect, it } from 'vitest';
import type { Log } from '../../src/ports/log.js';

export interface LogUnderTest {
  readonly log: Log;
  /** Returns the entries written, as objects; undefined for a log that keeps nothing. */
  entries(): Record<string, unknown>[] | undefined;
}

/** The obligations of `ports/log.ts`. */
export function describeLog(adapter: string, create: () => LogUnderTest): void {
  describe(`log: ${adapter}`, () => {
    it('writes each entry with its level, its sentence and its fields', () => {
      const { log, entries } = create();
      log.debug('First');
      log.info('Second', { id: 'a', count: 2 });
      log.warn('Third');
      log.error('Fourth', { error: new Error('broken') });
      const written = entries();
      if (written === undefined) return;
      expect(written.map(({ level, msg }) => [level, msg])).toEqual([
        ['debug', 'First'],
        ['info', 'Second'],
        ['warn', 'Third'],
        ['error', 'Fourth'],
      ]);
      expect(written[1]).toMatchObject({ id: 'a', count: 2 });
    });

    it('adds the fields of a child to all of its entries, and to no other', () => {
      const { log, entries } = create();
      const child = log.child({ lane: 'store' }).child({ peer: 'bob' });
      child.info('Of the child', { id: 1 });
      log.info('Of the parent');
      const written = entries();
      if (written === undefined) return;
      expect(written[0]).toMatchObject({ lane: 'store', peer: 'bob', id: 1 });
      expect(written[1]).not.toHaveProperty('lane');
    });

    it('accepts any field without failing', () => {
      const { log } = create();
      const circle: Record<string, unknown> = {};
      circle['itself'] = circle;
      const fields = { circle, nothing: undefined, big: 2n, done: () => 1, symbol: Symbol('s'), cause: new Error('e') };
      expect(() => log.error('Anything', fields)).not.toThrow();
    });
  });
}
