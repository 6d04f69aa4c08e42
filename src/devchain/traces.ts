import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Of blocks whose traces may wait. A mint of tokens takes 40,000 and leaves 0.4 MB. */
const maxTracedGas = 500_000;

/**
 * Returns what is told the gas of each block. The engine's answer to mining has every step of its transactions with it,
 * in memory of its own, until that object is collected, and V8 sees a small object without need of haste. So its young
 * objects are collected now and then, and the engine works in memory that it has used before.
 */
export function createTraceLimit(collect: () => void): (gasUsed: number) => void {
  let tracedGas = 0;
  return (gasUsed) => {
    tracedGas += gasUsed;
    if (tracedGas < maxTracedGas) return;
    tracedGas = 0;
    collect();
  };
}

/** Collects the young objects of this process, as V8 itself does when there are many. */
export function youngCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  assert(isCollector(collect), 'V8 collects when it is asked to');
  return () => collect({ type: 'minor' });
}

function isCollector(value: unknown): value is (how: { readonly type: 'minor' }) => void {
  return typeof value === 'function';
}
