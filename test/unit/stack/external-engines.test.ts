import { expect, test } from 'vitest';
import { resetStack } from '../../../src/stack/reset.js';
import { restoreSnapshot } from '../../../src/stack/snapshot/restoring/restore.js';
import { saveSnapshot } from '../../../src/stack/snapshot/saving/save.js';
import { aStartedStack } from './fixtures/started-stack.js';

const chain = 'provider: url, url: "https://chain.example"';
const contracts = `contracts: {network: "0x${'1'.repeat(40)}"}`;
const engines = {
  'an external chain': [`chain: {${chain}}`],
  'an external store': ['store: {provider: ipfs, api: "https://store.example"}'],
  PostgreSQL: ['database: {provider: postgres, url: "file:database.url"}'],
};

test.each(Object.entries(engines))(
  'A stack with %s has no snapshots, and the refusal gives the reason',
  async (_, lines) => {
    const stack = await aStartedStack(lines);
    const refused = {
      code: 'SNAPSHOT_REFUSED',
      exitCode: 2,
      message: expect.stringContaining('provider is') as string,
    };
    await expect(saveSnapshot(stack, 'one')).rejects.toMatchObject(refused);
    await expect(restoreSnapshot(stack, 'one')).rejects.toMatchObject(refused);
  },
);

test('A network with contracts that the definition names is not reset', async () => {
  const stack = await aStartedStack([`chain: {${chain}, ${contracts}}`]);
  await expect(resetStack(stack)).rejects.toMatchObject({ code: 'CHAIN_REFUSED', exitCode: 2 });
});
