import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lastLines } from '../../../../src/stack/running/evidence.js';
import type { Layout } from '../../../../src/stack/layout.js';
import { aLayout, aPlace } from '../fixtures/place.js';

const noon = '2026-01-01T12:00:00.000Z';
const record = (time: string, msg: string): string => JSON.stringify({ level: 'info', time, msg });

describe('The last records of a service', () => {
  test('are those of its present run', () => {
    const layout = logged(
      record('2026-01-01T11:59:59.999Z', 'earlier'),
      record(noon, 'first'),
      'not a record',
      record('2026-01-01T12:00:01.000Z', 'second'),
    );
    const lines = lastLines(layout, { name: 'alice', startedAt: noon });
    expect(lines).toEqual([record(noon, 'first'), 'not a record', record('2026-01-01T12:00:01.000Z', 'second')]);
  });

  test('are those since the command began if its present run has written none', () => {
    const layout = logged(record('2026-01-01T11:00:00.000Z', 'earlier'), record('2026-01-01T11:59:00.000Z', 'why'));
    const run = { name: 'alice', startedAt: noon };
    expect(lastLines(layout, run)).toEqual([]);
    expect(lastLines(layout, run, '2026-01-01T11:30:00.000Z')).toEqual([record('2026-01-01T11:59:00.000Z', 'why')]);
  });

  test('are few, and none if the service has written none', () => {
    const many = Array.from({ length: 300 }, (_, i) => record(noon, String(i)));
    const lines = lastLines(logged(...many), { name: 'alice', startedAt: noon });
    expect(lines).toEqual(many.slice(-lines.length));
    expect(lines.length).toBeLessThan(50);
    expect(lastLines(logged(), { name: 'bob', startedAt: noon })).toEqual([]);
  });
});

function logged(...lines: readonly string[]): Layout {
  const layout = aLayout(aPlace());
  mkdirSync(layout.logs, { recursive: true });
  writeFileSync(join(layout.logs, 'alice.ndjson'), lines.map((line) => `${line}\n`).join(''));
  return layout;
}
