import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStackCli } from '../../e2e/fixtures/stack-cli.js';

/** Runs every measurement once with all its flags, briefly: the test checks what it did, not how fast. */
const cli = createStackCli('default');
beforeAll(cli.start);
afterAll(cli.remove);

interface Report {
  readonly voidReasons: readonly string[];
}

const file = 'report.json';
const out = ['--out', file, '-q'];

/**
 * Runs a measurement, and returns its report. Exit code 8 means that its figures do not count, as on a busy machine.
 */
async function measured(...words: readonly string[]): Promise<Report> {
  const { code, said } = await cli.ends(...words);
  expect([0, 8], said).toContain(code);
  return JSON.parse(readFileSync(join(cli.directory, file), 'utf8')) as Report;
}

const kinds = ['broadcast', 'private', 'unpinned', 'mixed'];
const briefly = ['--rate', '10/s', '--duration', '1s', '--warmup', '500ms', '--parties', 'alice,carol'];
const done = { verdict: 'ok', parties: 2, durationMs: 1_000, warmupMs: 500, offeredPerSecond: 10, count: 10 };

describe('Flags of bench', () => {
  test.each(kinds)('%s takes a rate, a duration, a size, topics and parties', async (kind) => {
    const report = await measured('bench', kind, ...briefly, '--size', '64', '--topics', '2', ...out);
    expect(report).toMatchObject({ ...done, workload: kind, sizeBytes: 64, topics: 2, confirmed: 10 });
  });

  test('mint takes a rate, a duration and parties', async () => {
    expect(await measured('bench', 'mint', ...briefly, ...out)).toMatchObject({
      ...done,
      workload: 'mint',
      topics: 2,
      confirmed: 10,
    });
  });

  test.each([...kinds, 'mint'])('%s passes only within its limit for the latency', async (kind) => {
    const words = ['bench', kind, '--rate', '5/s', '--duration', '1s', '--warmup', '0', ...out];
    const { voidReasons } = await measured(...words, '--slo', '1ms');
    expect(voidReasons).toContainEqual(expect.stringMatching(/^the 99th percentile .* the limit is 1 ms$/));
    const within = await measured(...words, '--slo', '1h');
    expect(within.voidReasons).not.toContainEqual(expect.stringContaining('the limit is'));
  });

  test('replay takes a number of events, of unacknowledged ones, and of runs', async () => {
    const words = ['bench', 'replay', '--events', '1000', '--read-ahead', '7', '--repeats', '2'];
    const report = (await measured(...words, '-p', 'bob', ...out)) as unknown as { readonly runs: unknown[] };
    expect(report).toMatchObject({ verdict: 'ok', party: 'bob', events: 1_000, readAhead: 7 });
    expect(report.runs).toHaveLength(2);
  });

  test('blob takes a size', async () => {
    expect(await measured('bench', 'blob', '--size', '1MB', ...out)).toMatchObject({
      verdict: 'ok',
      sizeBytes: 1_000_000,
    });
  });

  test.each([...kinds, 'mint'])(
    '%s refuses no time, a rate that is none, and a party that there is not',
    async (kind) => {
      for (const [flag, value, code] of [
        ['--duration', '0', 2],
        ['--rate', 'fast', 2],
        ['--slo', 'soon', 2],
        ['--warmup', '-1s', 2],
        ['--parties', 'alise', 3],
      ] as const) {
        expect(await cli.ends('bench', kind, flag, value), `${flag} ${value}`).toMatchObject({ code });
      }
    },
  );
});
