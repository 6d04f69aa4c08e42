import type { Faults } from './faults.js';
import type { Simulator } from './life.js';
import type { Party } from './party.js';

export interface TroubleParts {
  readonly simulator: Simulator;
  readonly party: Party;
  readonly drawn: Faults;
  /** Names of the parties that cannot reach others now. */
  readonly cutOff: Set<string>;
  readonly spanMs: number;
}

/** Plans when a node is disconnected from the others, and when it dies. */
export function planTroubles({ simulator, party, drawn, cutOff, spanMs }: TroubleParts): void {
  const { scheduler, sometimes } = simulator;
  const { random } = scheduler;
  for (let time = 0; time < drawn.peerOutages; time++) {
    scheduler.after(random.fraction() * spanMs, party.name, 'is cut off', () => {
      sometimes('node cut off from the others');
      cutOff.add(party.name);
      scheduler.after(random.fraction() * 15_000, party.name, 'is back', () => void cutOff.delete(party.name));
    });
  }
  for (let crash = 0; crash < drawn.crashes; crash++) {
    scheduler.after(random.fraction() * spanMs, party.name, 'is to be killed', () => {
      if (random.fraction() < 0.4) party.kill();
      else party.killAtCall(1 + random.integer(30), random.fraction() < 0.5);
    });
  }
}
