import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { VictimStack } from '../../crash/victim-stack.js';

/** The parts of a stack that an attacker knows. */
export type VisibleStack = Pick<VictimStack, 'parties' | 'chainUrl' | 'storeUrl' | 'files'>;

/** The course of an attack: a short text about requests and answers, or why they were wrong. */
export type Told = { readonly told: string } | { readonly fault: string };

/** The process of an attacker. */
export interface Attacker {
  /** Carries out the attack of this name. */
  carryOut(name: string): Promise<Told>;
  end(): Promise<void>;
}

/**
 * Starts an attacker in a separate process and session, so that it can leave the processors to the stack and to honest
 * clients: a real attacker has its own.
 */
export async function startAttacker(root: string, stack: VisibleStack): Promise<Attacker> {
  const { parties, chainUrl, storeUrl, files } = stack;
  const known: VisibleStack = { parties, chainUrl, storeUrl, files };
  const program = new URL('attacker-process.js', import.meta.url);
  const child = fork(program, [JSON.stringify({ root, stack: known })], { detached: true });
  await messageOf(child, 'The attacker');
  return {
    async carryOut(name) {
      const answered = messageOf(child, 'The attacker');
      child.send(name);
      return (await answered) as Told;
    },
    async end() {
      // If it has ended, the attack without an answer has reported it.
      if (!child.connected) return;
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}

/** Returns the next message of a child. @throws Error if it ends instead */
export async function messageOf(child: ChildProcess, who: string): Promise<unknown> {
  const answered = new AbortController();
  const { signal } = answered;
  try {
    const [first] = (await Promise.race([
      once(child, 'message', { signal }),
      once(child, 'exit', { signal }),
    ])) as readonly unknown[];
    if (first === null || typeof first === 'number') throw new Error(`${who} ended with code ${first}`);
    return first;
  } finally {
    // Otherwise each call would leave a listener.
    answered.abort();
  }
}
