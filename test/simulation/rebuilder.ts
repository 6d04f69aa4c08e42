import type { MemoryLedger } from '../../src/adapters/blockchain/memory/memory.js';
import type { Deleter } from './deleter.js';
import type { Consumer } from './consumer.js';
import type { Simulator } from './life.js';
import type { Party } from './party.js';
import type { Shadow } from './shadow.js';

export interface RebuilderParts {
  readonly simulator: Simulator;
  readonly ledger: Pick<MemoryLedger, 'head'>;
  readonly parties: readonly Party[];
  /** The shadows of the parties, in the same order. */
  readonly shadows: readonly Shadow[];
  /** Consumers; those of a rebuilt party are not compared any more. */
  readonly consumers: Consumer[];
  readonly deleter: Pick<Deleter, 'removeReceived'>;
  readonly rebuilds: number;
  readonly spanMs: number;
}

/**
 * Lets users have parties rebuilt from any block on, as `stack node rebuild PARTY --from BLOCK` does. They may have
 * deleted something shortly before that the rebuild needs.
 */
export function planRebuilds({
  simulator,
  ledger,
  parties,
  shadows,
  consumers,
  deleter,
  ...parts
}: RebuilderParts): void {
  const { scheduler, sometimes } = simulator;
  const { random } = scheduler;

  async function rebuildOne(): Promise<void> {
    const index = random.integer(parties.length);
    const party = parties[index];
    if (party === undefined) return;
    await deleter.removeReceived(party);
    if (party.serving() === undefined) return;
    sometimes('party rebuilt from a block on');
    shadows[index]?.suspend();
    consumers.splice(0, consumers.length, ...consumers.filter((consumer) => consumer.party !== party.name));
    party.rebuild(random.integer(ledger.head() + 2));
  }

  function act(): void {
    rebuildOne().catch((error: unknown) => scheduler.fail(new Error('the rebuild failed', { cause: error })));
  }

  for (let time = 0; time < parts.rebuilds; time++) {
    scheduler.after(random.fraction() * parts.spanMs, 'user', 'has a party rebuilt', act);
  }
}
