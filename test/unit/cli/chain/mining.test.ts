import { expect, it } from 'vitest';
import { advanceClock, mineBlocks, miningMember, miningText } from '../../../../src/cli/chain/mining.js';
import { memoryOutput } from '../memory-output.js';

it.each([
  [{ auto: true, intervalMs: 0 }, 'auto', 'a block for each transaction'],
  [{ auto: false, intervalMs: 500 }, { intervalMs: 500 }, 'a block every 500 ms'],
  [{ auto: false, intervalMs: 0 }, 'paused', 'paused; 2 transactions wait for a block'],
])('mining of %j is shown as in a definition, and as text', (mining, member, text) => {
  expect([miningMember(mining), miningText(mining, 2)]).toEqual([member, text]);
});

it.each(['0', '10001', '-1', '1.5', 'many', ''])('refuses to mine %s blocks', async (count) => {
  await expect(mineBlocks({ count }, context())).rejects.toMatchObject({ code: 'USAGE' });
});

it.each(['0', '500ms', '1.5s', '-1s', 'soon', '999999999h'])('refuses to move the clock by %s', async (span) => {
  await expect(advanceClock({ span }, context())).rejects.toMatchObject({ code: 'USAGE' });
});

function context() {
  return { output: memoryOutput().output, environment: { STACK_HOME: '/nowhere' }, program: 'stack' };
}
