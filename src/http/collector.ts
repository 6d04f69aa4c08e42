import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (how: { readonly type: 'minor' }) => void;

/** Created on first use: it takes a context of V8, which no start should wait for. */
let collector: Collect | undefined;

/** Collects the young objects of this process, as V8 does when there are many. */
export function collectYoung(): void {
  collector ??= createCollector();
  collector({ type: 'minor' });
}

function createCollector(): Collect {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  // V8 refuses compiled code that was cached under other flags (bin/compiled.js): the next start would compile
  // everything again.
  setFlagsFromString('--no-expose-gc');
  assert(isCollector(collect), 'V8 collects when it is asked to');
  return collect;
}

function isCollector(value: unknown): value is Collect {
  return typeof value === 'function';
}
