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

test('A transaction whose nonce another one has used ends the task, with what to do', async () => {
  const directory = await aDirectory();
  const pendingFile = join(directory, 'pending.json');
  const raw = [{ raw: '0x02', hash: `0x${'5'.repeat(64)}` }];
  await writeJsonFile(pendingFile, { block: 1, raw, network: { address: network }, tokens: [] });
  const call: Call = (_, method) =>
    method === 'eth_sendRawTransaction' ? Promise.reject(new Error('nonce too low')) : Promise.resolve(null as never);
  const external = { confirmations: 0, fees: {}, pendingFile };
  const contractsFile = join(directory, 'contracts.json');
  const work = { external, operatorKeyFile: '', contractsFile, connectors: [], chain, limits: '{}', call, members: [] };
  const ended = ensureOnExternal({ ...work, pollMs: 1 }, undefined);
  await expect(ended).rejects.toThrow(`used by another transaction. Remove ${pendingFile}`);
});

async function aDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'contracts-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** The record of a network's contracts after a task that sends nothing to the chain. */
async function ensured(known: Contracts, tokens: Readonly<Record<string, string>>): Promise<Contracts | undefined> {
  const directory = await aDirectory();
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
