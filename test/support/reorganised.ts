import { expect } from 'vitest';
import type { Party, Pipelines } from './pipelines.js';

/** Removes the last blocks and puts another one in place of the first of them. Returns the removed calls. */
export async function reorganise(network: Pipelines, blocks: number): Promise<readonly string[]> {
  await network.clock.advance(1_000);
  const calls = network.ledger.rewind(blocks);
  const [name, key] = [`late-${blocks}`, `0x${String(blocks).padStart(40, 'd')}`];
  const entry = { node: `${name}-node`, endpoint: `https://${name}`, publicKeyHash: key.slice(2).padStart(64, 'd') };
  network.ledger.addMember({ organization: name, key, ...entry });
  await network.settle();
  return calls;
}

/** Rebuilds all parties in this order, once each has noticed the reorganisation. */
export async function rebuildAll(network: Pipelines, order: readonly Party[] = network.parties): Promise<void> {
  for (const party of order) {
    expect(party.fatal).toMatchObject([{ reason: 'other_chain' }]);
    expect(await party.rebuild()).toBe(true);
    await party.restart();
  }
  await network.settle();
  await network.pass(20_000);
}
