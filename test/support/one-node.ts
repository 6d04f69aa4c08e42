import { afterAll, beforeAll, expect } from 'vitest';
import { startTestNetwork, type TestNetwork, type TestNode } from './node.js';

/**
 * Provides one node for all tests of a file and checks at the end that it had no fatal errors. Call it at the top of
 * the file.
 */
export function oneNode(): () => TestNode {
  let network: TestNetwork | undefined;
  const current = (): TestNode => {
    if (network === undefined) throw new Error('The node is there once the tests have begun');
    return network.node;
  };
  beforeAll(async () => {
    network = await startTestNetwork();
  });
  afterAll(async () => {
    expect(current().fatal).toEqual([]);
    await network?.stop();
  });
  return current;
}
