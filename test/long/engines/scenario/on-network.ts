import { describe, test } from 'vitest';
import { doesItsWork, type Part, type Users } from '../../../e2e/fixtures/scenario/scenario.js';

/** A running network of alice and bob, and its parts that can be made to fail. */
export interface Network {
  readonly users: Users;
  readonly parts: readonly Part[];
}

interface NetworkKind {
  /** The words that complete the title of its test. */
  readonly on: string;
  /** The external engines or rights that it requires, for the title. */
  readonly needs?: string;
  /** Whether its test is skipped, because one of them is missing. */
  readonly isSkipped?: boolean;
  /** Whether only a run of all networks includes it. */
  readonly isExtra?: boolean;
  start(): Promise<Network>;
}

const maxMs = 15 * 60_000;
/** Set by `npm run test:engines`; a run without it leaves out the extra networks. */
const hasAllNetworks = process.env['SCENARIO_NETWORKS'] === 'all';

/** Defines the test of the scenario on one kind of network. Its title names the requirements. */
export function describeScenario({ on, needs, isSkipped = false, isExtra = false, start }: NetworkKind): void {
  const needed = [...(needs === undefined ? [] : [needs]), ...(isExtra ? ['SCENARIO_NETWORKS=all'] : [])];
  const title = `on ${on}${needed.length === 0 ? '' : ` (needs ${needed.join(', ')})`}`;
  describe('all work is done, and nothing is lost while each part is away,', () => {
    test.skipIf(isSkipped || (isExtra && !hasAllNetworks))(title, { timeout: maxMs }, async () => {
      const { users, parts } = await start();
      await doesItsWork(users, parts);
    });
  });
}
