import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import { openFaultFile } from '../../../../src/node/faults/fault-file.js';
import type { Fault } from '../../../../src/wire/network/faults.js';
import { aFault, keyOf } from './a-fault.js';

const nowMs = Date.parse('2026-01-01T00:00:00.000Z');

describe('The file of faults', () => {
  test('has no effect if it is missing or unreadable', () => {
    const { faults, write } = open('alice');
    expect([faults.towards(keyOf('bob')), faults.ofReads()]).toEqual([[], []]);
    write('{"version":1,"faults":[{"id":"f1"}]}');
    expect(faults.ofReads()).toEqual([]);
  });

  test('is read again for each use', () => {
    const { faults, set } = open('alice');
    set(aFault('cut', 'alice', 'bob'));
    expect(idsOf(faults.towards(keyOf('bob')))).toEqual(['f1']);
    expect(idsOf(faults.towards(keyOf('carol')))).toEqual([]);
    set();
    expect(idsOf(faults.towards(keyOf('bob')))).toEqual([]);
  });

  test('disturbs both directions, unless a fault is one-way', () => {
    const bob = open('bob');
    bob.set(aFault('delay', 'alice', 'bob'));
    expect(idsOf(bob.faults.towards(keyOf('alice')))).toEqual(['f1']);
    bob.set(aFault('delay', 'alice', 'bob', { oneWay: true }));
    expect(idsOf(bob.faults.towards(keyOf('alice')))).toEqual([]);
  });

  test("reports faults of a party's reads, and recognises when a fault has ended", () => {
    const { faults, set } = open('alice');
    set(aFault('drop', 'alice'), aFault('drop', 'bob', undefined, { id: 'f2' }));
    expect([idsOf(faults.ofReads()), idsOf(faults.towards(keyOf('bob')))]).toEqual([['f1'], []]);
    set(aFault('drop', 'alice', undefined, { until: new Date(nowMs + 1).toISOString() }));
    expect(idsOf(faults.ofReads())).toEqual(['f1']);
    set(aFault('drop', 'alice', undefined, { until: new Date(nowMs).toISOString() }));
    expect(idsOf(faults.ofReads())).toEqual([]);
  });
});

function open(party: string) {
  const directory = mkdtempSync(join(tmpdir(), 'parley-faults-'));
  onTestFinished(() => {
    rmSync(directory, { recursive: true });
  });
  const clock = { now: () => new Date(nowMs).toISOString() };
  const file = join(directory, 'faults.json');
  const faults = openFaultFile({ file, own: keyOf(party), log: createSilentLog(), clock });
  const write = (text: string): void => writeFileSync(file, text);
  return { faults, write, set: (...set: readonly Fault[]) => write(JSON.stringify({ version: 1, faults: set })) };
}

function idsOf(faults: readonly Fault[]): readonly string[] {
  return faults.map(({ id }) => id);
}
