import { expect, test } from 'vitest';
import { resetStack } from '../../../src/stack/reset.js';
import { restoreSnapshot } from '../../../src/stack/snapshot/restoring/restore.js';
import { saveSnapshot } from '../../../src/stack/snapshot/saving/save.js';
import { aBegunStack } from './fixtures/begun-stack.js';

const chain = 'provider: url, url: "https://chain.example"';
const contracts = `contracts: {network: "0x${'1'.repeat(40)}"}`;
const engines = {
  'a chain that others run': [`chain: {${chain}}`],
  'a store that others run': ['store: {provider: ipfs, api: "https://store.example"}'],
  PostgreSQL: ['database: {provider: postgres, url: "file:database.url"}'],
};

test.each(Object.entries(engines))('A stack with %s is neither saved nor restored, and says why', async (_, lines) => {
  const stack = await aBegunStack(lines);
  const refused = { code: 'SNAPSHOT_REFUSED', exitCode: 2, message: expect.stringContaining('provider is') as string };
  await expect(saveSnapshot(stack, 'one')).rejects.toMatchObject(refused);
  await expect(restoreSnapshot(stack, 'one')).rejects.toMatchObject(refused);
});

test('A network whose contracts are named is not reset', async () => {
  const stack = await aBegunStack([`chain: {${chain}, ${contracts}}`]);
  await expect(resetStack(stack)).rejects.toMatchObject({ code: 'CHAIN_REFUSED', exitCode: 2 });
});
