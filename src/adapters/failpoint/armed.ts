import { setTimeout as sleep } from 'node:timers/promises';
import type { Failpoint } from '../../ports/failpoint.js';

type Action = { readonly kind: 'kill' | 'error' } | { readonly kind: 'delay'; readonly delayMs: number };

interface Armed {
  readonly name: string;
  /** The hit, counted from 1, at which the action is taken, once. */
  readonly hit: number;
  readonly action: Action;
}

/**
 * Arms the points of a specification like `batch.after-seal:2:kill` or `tx.after-send:1:delay=500`, separated by
 * commas. Without a specification nothing is armed and `reach` costs nothing.
 *
 * @throws Error if the specification is invalid
 */
export function createArmedFailpoint(specification: string | undefined): Failpoint {
  if (specification === undefined || specification === '') return { reach: () => Promise.resolve() };
  const armed = specification.split(',').map((part) => parse(part.trim()));
  const hits = new Map<string, number>();
  return {
    async reach(name) {
      const hit = (hits.get(name) ?? 0) + 1;
      hits.set(name, hit);
      for (const point of armed) {
        if (point.name === name && point.hit === hit) await act(point);
      }
    },
  };
}

async function act({ name, hit, action }: Armed): Promise<void> {
  switch (action.kind) {
    case 'delay':
      await sleep(action.delayMs);
      return;
    case 'error':
      throw new Error(`The failpoint ${name} failed at hit ${hit}, as it was armed to.`);
    case 'kill':
      process.kill(process.pid, 'SIGKILL');
      // The signal may be delayed; nothing after the point may run meanwhile.
      await new Promise<never>(() => undefined);
  }
}

function parse(text: string): Armed {
  const found = /^([a-z][a-z.-]*):([1-9]\d{0,8}):(?:(kill|error)|delay=(\d{1,9}))$/.exec(text);
  if (found === null) {
    throw new Error(`A failpoint is name:hit:action with the action kill, error or delay=<ms>, not "${text}".`);
  }
  const [, name = '', hit = '', kind, delayMs = ''] = found;
  const action: Action = kind === 'kill' || kind === 'error' ? { kind } : { kind: 'delay', delayMs: Number(delayMs) };
  return { name, hit: Number(hit), action };
}
