import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Contracts, ContractsFile } from '../../../../src/stack/running/contracts-file.js';
import type { Call } from '../../../../src/stack/tasks/chain-reads.js';
import { ensureOnExternal } from '../../../../src/stack/tasks/external-contracts.js';
import { readJsonFile, writeJsonFile } from '../../../../src/supervisor/files/json-file.js';

const [network, one, other] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`, `0x${'3'.repeat(40)}`];
const chain = { chainId: 7, genesisHash: `0x${'4'.repeat(64)}` };

test('A connector that is added later gets the contract that the definition names', async () => {
  const known = { ...chain, network: { address: network, block: 5 }, tokens: [{ name: 'erc1155', address: one }] };
  const written = await ensured(known, { erc1155: other, erc20_erc721: other });
  expect(written).toEqual({ ...known, tokens: [...known.tokens, { name: 'erc20_erc721', address: other }] });
});

/** The record of a network's contracts after a task that sends nothing to the chain. */
async function ensured(known: Contracts, tokens: Readonly<Record<string, string>>): Promise<Contracts | undefined> {
  const directory = await mkdtemp(join(tmpdir(), 'contracts-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const contractsFile = join(directory, 'contracts.json');
  await writeJsonFile(contractsFile, known);
  const call: Call = (_, method) => Promise.reject(new Error(`${method} is not expected.`));
  const external = {
    confirmations: 0,
    fees: {},
    contracts: { network, tokens },
    pendingFile: join(directory, 'pending.json'),
  };
  const connectors = ['erc1155', 'erc20_erc721'] as const;
  const work = { external, operatorKeyFile: '', contractsFile, connectors, chain, limits: '{}', call, members: [] };
  await ensureOnExternal(work, known);
  return readJsonFile(contractsFile, ContractsFile);
}
