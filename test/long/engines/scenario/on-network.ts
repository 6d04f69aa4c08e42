import { describe, test } from 'vitest';
import { doesItsWork, type Part, type Users } from '../../../e2e/fixtures/scenario/scenario.js';

/** A running network of alice and bob, and its parts that may be taken away. */
export interface Network {
  readonly users: Users;
  readonly parts: readonly Part[];
}

interface NetworkKind {
  /** The words that complete the title of its test. */
  readonly on: string;
  /** The foreign engines or rights that it takes, for the title. */
  readonly needs?: string;
  /** Whether its test is skipped, because one of them is missing. */
  readonly isSkipped?: boolean;
  /** Whether only a run of all networks has it. */
  readonly isExtra?: boolean;
  start(): Promise<Network>;
}

const maxMs = 15 * 60_000;
/** `npm run test:engines` sets it; a run without it leaves out the networks that are extra. */
const hasAllNetworks = process.env['SCENARIO_NETWORKS'] === 'all';

/** Defines the test that the scenario holds on one kind of network. Its title says what it needs to run at all. */
export function describeScenario({ on, needs, isSkipped = false, isExtra = false, start }: NetworkKind): void {
  const needed = [...(needs === undefined ? [] : [needs]), ...(isExtra ? ['SCENARIO_NETWORKS=all'] : [])];
  const title = `on ${on}${needed.length === 0 ? '' : ` (needs ${needed.join(', ')})`}`;
  describe('the same work is done, and nothing is lost while each part is away,', () => {
    test.skipIf(isSkipped || (isExtra && !hasAllNetworks))(title, { timeout: maxMs }, async () => {
      const { users, parts } = await start();
      await doesItsWork(users, parts);
    });
  });
}
