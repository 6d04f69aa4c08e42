import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Returns a function that collects the young objects of this process, as V8 does when there are many. */
export function youngCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  // V8 refuses compiled code that was kept under other flags (bin/compiled.js): the next start would compile anew.
  setFlagsFromString('--no-expose-gc');
  assert(isCollector(collect), 'V8 collects when it is asked to');
  return () => collect({ type: 'minor' });
}

function isCollector(value: unknown): value is (how: { readonly type: 'minor' }) => void {
  return typeof value === 'function';
}
