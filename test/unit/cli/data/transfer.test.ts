import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { showTransfer } from '../../../../src/cli/data/transfer.js';
import { widthOf } from '../../../../src/cli/terminal/width.js';
import { memoryOutput } from '../memory-output.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const half = { verb: 'Uploading', name: 'a\u001b[31m.bin', totalBytes: 2_000_000 } as const;

/** Shows half of the file after two seconds. */
async function halfWay(written: ReturnType<typeof memoryOutput>, kind: 'auto' | 'plain' | 'json' | 'none') {
  const transfer = showTransfer({ ...half, output: written.output, kind, nowMs: () => Date.now() });
  await vi.advanceTimersByTimeAsync(1_900);
  transfer.advance(1_000_000);
  await vi.advanceTimersByTimeAsync(100);
  return transfer;
}

describe('a transfer', () => {
  it('is a bar on a terminal, removed at its end', async () => {
    const written = memoryOutput({ isTerminal: true });
    const transfer = await halfWay(written, 'auto');
    expect(written.err()).toContain('1.0 MB of 2.0 MB, 50 %');
    expect(written.err()).toContain('a\\u{1b}[31m.bin');
    await transfer.end();
    expect(written.err().endsWith('\u001b[J')).toBe(true);
    expect(written.out()).toBe('');
  });

  it.each([40, 60, 80, 120])('fits a terminal of %i columns with its figures, whatever the name', async (columns) => {
    for (const name of ['a.bin', 'quarterly-figures-of-all-subsidiaries-2026-final.tar.gz', '四半期報告書'.repeat(9)]) {
      const written = memoryOutput({ isTerminal: true, columns, environment: { NO_COLOR: '1', FORCE_COLOR: '' } });
      const output = { ...written.output, isAnimated: true };
      const transfer = showTransfer({ ...half, name, output, kind: 'auto', nowMs: () => Date.now() });
      await vi.advanceTimersByTimeAsync(1_900);
      transfer.advance(1_000_000);
      await vi.advanceTimersByTimeAsync(100);
      // The sequence that clears the last line precedes it.
      const line = written.err().trimEnd().split('\n').at(-1)?.split('\u001b[J').at(-1) ?? '';
      expect(widthOf(line)).toBeLessThanOrEqual(columns);
      if (columns >= 60) expect(line).toMatch(/1\.0 MB of 2\.0 MB, 50 % {2}.*MB\/s|kB\/s/);
      if (columns >= 80) expect(line).toMatch(/█+░+ .* left$/);
      await transfer.end();
    }
  });

  it('prints nothing if it is short', async () => {
    const written = memoryOutput({ isTerminal: true });
    const transfer = showTransfer({ ...half, output: written.output, kind: 'auto', nowMs: () => Date.now() });
    await vi.advanceTimersByTimeAsync(400);
    await transfer.end();
    expect(written.err()).toBe('');
  });

  it('is a line without animation, and a record for a program', async () => {
    const plain = memoryOutput();
    await (await halfWay(plain, 'auto')).end();
    expect(plain.err()).toMatch(/^Uploading a\\u\{1b\}\[31m\.bin: .* of 2\.0 MB, \d+ %, .*\n$/);
    expect(plain.err()).not.toContain('\u001b');
    const json = memoryOutput();
    await (await halfWay(json, 'json')).end();
    expect(JSON.parse(json.err())).toMatchObject({ transfer: 'uploading', totalBytes: 2_000_000 });
  });

  it('is silent on request, and next to JSON', async () => {
    for (const [written, kind] of [
      [memoryOutput({ isTerminal: true }), 'none'],
      [memoryOutput({ isTerminal: true, modes: { isJson: true } }), 'auto'],
    ] as const) {
      await (await halfWay(written, kind)).end();
      expect(written.err()).toBe('');
    }
  });

  it('shows no total for a pipe', async () => {
    const written = memoryOutput({ isTerminal: true });
    const options = {
      ...half,
      totalBytes: undefined,
      output: written.output,
      kind: 'auto',
      nowMs: () => Date.now(),
    } as const;
    const transfer = showTransfer(options);
    transfer.advance(5_000_000);
    await vi.advanceTimersByTimeAsync(1_000);
    await transfer.end();
    expect(written.err()).toContain('5.0 MB');
    expect(written.err()).not.toContain('%');
  });
});
