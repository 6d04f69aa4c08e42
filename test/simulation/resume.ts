import { every } from '../../src/ports/tables/where.js';
import type { Application } from './application.js';
import { checkKeptProfiles } from './identities.js';
import type { Simulator } from './life.js';
import type { Party } from './party.js';
import { InvariantViolation, isDecision, type Shadow } from './shadow.js';

export interface Resumption {
  readonly simulator: Simulator;
  readonly party: Party;
  readonly shadow: Shadow;
  /** Its applications, and the server that it calls. */
  readonly consumers: readonly Pick<Application, 'rebuilt'>[];
}

/** Compares the rows that a rebuild has kept, and then new ones. */
export function resumeAfter(parts: Resumption): void {
  compareWithKept(parts).catch((error: unknown) => {
    const isViolation = error instanceof InvariantViolation;
    const failure = isViolation ? error : new Error('what a rebuild has left cannot be read', { cause: error });
    parts.simulator.scheduler.fail(failure);
  });
}

async function compareWithKept({ simulator, party, shadow, consumers }: Resumption): Promise<void> {
  const { name, disk } = party;
  const events = await disk.rows('events', { namespace: every }, { limit: 100_000 });
  simulator.sometimes(events.some(isDecision) ? 'event kept by a rebuild' : 'all events taken back');
  shadow.resume(events);
  await checkKeptProfiles(name, disk);
  for (const consumer of consumers) await consumer.rebuilt();
}
