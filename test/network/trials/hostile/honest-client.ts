import { fork } from 'node:child_process';
import { messageOf } from './attacker.js';
import type { HonestMessage, HonestPlan } from './honest.js';
import type { Party } from './world.js';

/** The messages of an honest client, and their latencies. */
export interface HonestOutcome {
  readonly sent: number;
  readonly lost: number;
  /** Milliseconds from the intended time to the last event, sorted. */
  readonly latenciesMs: readonly number[];
  /** Latencies of the messages intended between two times, in milliseconds since 1970. */
  latenciesBetween(fromMs: number, toMs: number): readonly number[];
}

/**
 * Starts honest traffic in a separate process: in the attacker's process its messages would wait for the attacker's
 * work, and not for the stack.
 */
export async function startHonestClient(
  parties: readonly Party[],
  plan: HonestPlan,
): Promise<{ end(): Promise<HonestOutcome> }> {
  const child = fork(new URL('honest-process.js', import.meta.url), [JSON.stringify({ parties, plan })]);
  await messageOf(child, 'The honest client');
  return {
    async end() {
      const answered = messageOf(child, 'The honest client');
      child.send('end');
      return outcomeOf((await answered) as readonly HonestMessage[]);
    },
  };
}

function outcomeOf(messages: readonly HonestMessage[]): HonestOutcome {
  const latenciesOf = (some: readonly HonestMessage[]): number[] =>
    some.flatMap(({ latencyMs }) => latencyMs ?? []).sort((left, right) => left - right);
  const latenciesMs = latenciesOf(messages);
  return {
    sent: messages.length,
    lost: messages.length - latenciesMs.length,
    latenciesMs,
    latenciesBetween: (fromMs, toMs) =>
      latenciesOf(messages.filter(({ intendedMs }) => intendedMs >= fromMs && intendedMs < toMs)),
  };
}

/** Returns the value below which this share of sorted values lies. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
