import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createLogs, type LogLine, logFile, readTail, readTails } from '../../../../src/supervisor/files/logs.js';
import { noSmallDisk, openSmallDisk } from '../../../support/small-disk.js';
import { aDirectory } from '../fixtures/plans.js';

const record = (n: number): string => JSON.stringify({ level: 'info', n });
const numbers = (lines: readonly string[]): unknown[] => lines.map((line) => (JSON.parse(line) as { n: unknown }).n);

describe('The logs of a stack', () => {
  test('rotate by size, keep a limited number of files, and lose nothing before that', () => {
    const { logs, directory } = open({ maxBytes: 100, maxFiles: 3 });
    for (let n = 0; n < 40; n++) logs.write('chain', record(n), 'stdout');
    const names = ['chain.ndjson', 'chain.ndjson.1', 'chain.ndjson.2', 'chain.ndjson.3'];
    expect(readdirSync(directory).sort()).toEqual(names);
    for (const name of names) expect(statSync(join(directory, name)).size).toBeLessThanOrEqual(100);
    const kept = numbers(readTail(directory, 'chain', 100));
    expect(kept).toEqual(Array.from({ length: kept.length }, (_, i) => 40 - kept.length + i));
  });

  test('continue in the existing file, and rotate it when it is full', () => {
    const directory = aDirectory();
    for (const n of [1, 2]) {
      const { logs } = open({ directory });
      logs.write('chain', record(n), 'stdout');
      logs.close();
    }
    expect(numbers(readTail(directory, 'chain', 10))).toEqual([1, 2]);
  });

  test('show the last records over several files, oldest first', () => {
    const { logs, directory } = open({ maxBytes: 60, maxFiles: 20 });
    for (let n = 0; n < 20; n++) logs.write('chain', record(n), 'stdout');
    expect(numbers(readTail(directory, 'chain', 5))).toEqual([15, 16, 17, 18, 19]);
    expect(readTail(directory, 'nobody', 5)).toEqual([]);
  });

  test('show the last records of a file that is larger than one reading of it', () => {
    const directory = aDirectory();
    const lines = Array.from({ length: 20_000 }, (_, n) => record(n));
    writeFileSync(logFile(directory, 'chain'), `${lines.join('\n')}\n`);
    expect(numbers(readTail(directory, 'chain', 5_000))).toEqual(Array.from({ length: 5_000 }, (_, i) => 15_000 + i));
  });

  test('show the last records that are wanted, however far back, and none from before a time', () => {
    const { logs, directory } = open({ maxBytes: 400, maxFiles: 50 });
    const at = (n: number) => `2026-01-01T00:00:${String(n).padStart(2, '0')}Z`;
    for (let n = 0; n < 50; n++) logs.write('chain', JSON.stringify({ level: 'info', time: at(n), n }), 'stdout');
    const isWanted = (line: string) => Number(numbers([line])[0]) % 10 === 0;
    expect(numbers(readTail(directory, 'chain', 3, { isWanted }))).toEqual([20, 30, 40]);
    expect(numbers(readTail(directory, 'chain', 100, { isWanted }))).toEqual([0, 10, 20, 30, 40]);
    let looked = 0;
    const counting = (line: string) => ++looked > 0 && isWanted(line);
    expect(numbers(readTail(directory, 'chain', 100, { isWanted: counting, since: at(30) }))).toEqual([30, 40]);
    expect(looked).toBe(20);
    expect(readTails(directory, ['chain'], 1, { isWanted }).map(({ line }) => numbers([line]))).toEqual([[40]]);
    expect(readTail(directory, 'chain', 0, { isWanted })).toEqual([]);
  });

  test('wrap a line that is not a record', () => {
    const { logs, directory } = open({});
    logs.write('chain', 'Error: \u001b[31mred', 'stderr');
    logs.write('chain', 'plain', 'stdout');
    const records = readTail(directory, 'chain', 2).map((line): unknown => JSON.parse(line));
    expect(records).toMatchObject([
      { level: 'error', time: 'now', msg: 'Error: \u001b[31mred' },
      { level: 'info', time: 'now', msg: 'plain' },
    ]);
  });

  test('are followed until aborted', () => {
    const { logs } = open({});
    const seen: LogLine[] = [];
    const stop = logs.follow((line) => seen.push(line));
    logs.write('chain', record(1), 'stdout');
    stop();
    logs.write('chain', record(2), 'stdout');
    expect(seen).toEqual([{ service: 'chain', line: record(1) }]);
  });

  test('of several services are read in the order of their times', () => {
    const { logs, directory } = open({});
    const at = (time: string) => JSON.stringify({ level: 'info', time, msg: 'x' });
    logs.write('chain', at('2026-01-01T00:00:01.000Z'), 'stdout');
    logs.write('chain', '{"no":"time"}', 'stdout');
    logs.write('chain', at('2026-01-01T00:00:03.000Z'), 'stdout');
    logs.write('store', at('2026-01-01T00:00:02.000Z'), 'stdout');
    expect(readTails(directory, ['store', 'chain'], 10).map(({ service, line }) => [service, line])).toEqual([
      ['chain', at('2026-01-01T00:00:01.000Z')],
      ['chain', '{"no":"time"}'],
      ['store', at('2026-01-01T00:00:02.000Z')],
      ['chain', at('2026-01-01T00:00:03.000Z')],
    ]);
  });

  test('count what the disk refuses, and continue when it accepts again', () => {
    const { logs, directory } = open({});
    mkdirSync(logFile(directory, 'chain'));
    logs.write('chain', record(1), 'stdout');
    expect(logs.lost()).toBe(1);
    logs.write('store', record(2), 'stdout');
    expect([logs.lost(), numbers(readTail(directory, 'store', 1))]).toEqual([1, [2]]);
  });

  test('keep no part of a record that a full disk takes', async ({ skip }) => {
    const disk = await openSmallDisk(4);
    if (disk === undefined) return skip(noSmallDisk);
    onTestFinished(() => disk.remove());
    const { logs, directory } = open({ directory: disk.directory });
    const long = (n: number): string => JSON.stringify({ level: 'info', n, msg: 'x'.repeat(3_000) });
    logs.write('chain', long(1), 'stdout');
    logs.write('chain', long(2), 'stdout');
    logs.write('chain', record(3), 'stdout');
    expect([logs.lost(), numbers(readTail(directory, 'chain', 10))]).toEqual([1, [1, 3]]);
  });

  test('are for their owner only', () => {
    const { logs, directory } = open({});
    chmodSync(directory, 0o700);
    logs.write('chain', record(1), 'stdout');
    expect(statSync(logFile(directory, 'chain')).mode & 0o077).toBe(0);
  });
});

function open({ directory = aDirectory(), maxBytes = 1_000_000, maxFiles = 5 }) {
  const logs = createLogs({ directory, maxBytes, maxFiles, now: () => 'now' });
  onTestFinished(() => {
    logs.close();
  });
  return { logs, directory };
}
