import { describe, expect, it } from 'vitest';
import { formatReport } from '../../../src/bench/report.js';
import { aReport } from './a-report.js';

describe('a report', () => {
  it('has all conditions of a figure in its first line', () => {
    const [line = ''] = formatReport(aReport()).split('\n');
    for (const part of [
      'broadcast 3 parties 256 B',
      'offered 50.0/s',
      'p50 20.0',
      'alice 1.5 s CPU 100 MiB',
      'checker ok',
    ]) {
      expect(line).toContain(part);
    }
    expect(line).not.toContain('VOID');
  });

  it('gives the reason why a figure does not count', () => {
    expect(formatReport(aReport({ voidReasons: ['the driver was late'] }))).toContain('VOID: the driver was late');
  });

  it('lists every invariant below', () => {
    expect(formatReport(aReport()).split('\n')).toHaveLength(16);
  });
});
