import { describe, expect, it } from 'vitest';
import { logLine, readEntry } from '../../../../../src/cli/stack/watching/log-line.js';
import { memoryOutput } from '../../memory-output.js';

const { output } = memoryOutput();
const line = (text: string, width = 6) =>
  logLine({ service: 'bob', line: text, entry: readEntry(text) }, width, output.out);

describe('a record of a log', () => {
  it('is one line: time, service, level, sentence, fields', () => {
    const text = '{"level":"warn","time":"2026-01-01T00:00:00.000Z","name":"node","msg":"Away","peer":"alice","n":3}';
    expect(line(text)).toBe('2026-01-01T00:00:00.000Z bob    warn  Away peer=alice n=3');
  });

  it('shows the message of an error, and the first line of long text', () => {
    const text =
      '{"level":"error","time":"t","msg":"Failed","error":{"type":"Error","message":"no","stack":"x"},"text":"a\\nb"}';
    expect(line(text, 0)).toBe('t error Failed error=no text=a …');
  });

  it('that is not JSON is shown escaped', () => {
    expect(line('plain \u001b[31m')).toBe('bob    plain \\u{1b}[31m');
    expect(readEntry('[1]')).toBeUndefined();
  });
});
