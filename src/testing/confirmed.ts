import { setTimeout as sleep } from 'node:timers/promises';
import { ClientError, isTransient } from '../client/errors.js';
import { isFinal } from '../client/wait.js';
import type { TestParty } from './party.js';

const pollMs = 20;

/**
 * Waits until a message is confirmed at all of these parties.
 *
 * @throws Error that names each party and what it has, when one of them rejects the message or the time is over
 */
export async function untilConfirmed(id: string, parties: readonly TestParty[], withinMs: number): Promise<void> {
  const end = performance.now() + withinMs;
  for (;;) {
    const states = await Promise.all(parties.map((party) => stateAt(party, id)));
    if (states.every(({ state }) => state === 'confirmed')) return;
    const said = states.map(({ party, state, reason }) => `${party}: ${state}${reason}`).join('; ');
    if (states.some(({ isEnded, state }) => isEnded && state !== 'confirmed')) {
      throw new Error(`The message ${id} will not be confirmed everywhere. ${said}.`);
    }
    if (performance.now() >= end) {
      throw new Error(`The message ${id} was not confirmed everywhere within ${withinMs} ms. ${said}.`);
    }
    await sleep(pollMs);
  }
}

async function stateAt(party: TestParty, id: string) {
  try {
    const message = await party.message(id);
    const reason = message.rejectReason === undefined ? '' : ` (${message.rejectReason})`;
    return { party: party.name, state: message.state, reason, isEnded: isFinal(message) };
  } catch (error) {
    if (!isTransient(error)) throw error;
    // A node that restarts, or has not read that far, is waited for as long as the caller waits.
    const isMissing = error instanceof ClientError && error.status === 404;
    const [state, reason] = isMissing
      ? ['not here', '']
      : ['not known', ` (${String(error instanceof Error ? error.message : error)})`];
    return { party: party.name, state, reason, isEnded: false };
  }
}
