import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeJsonFile } from '../../supervisor/files/json-file.js';
import { makeDirectory, writePrivateFile } from '../../supervisor/files/private-file.js';
import { addressOf } from '../../domain/chain/keys.js';
import { runTask } from '../control/processes.js';
import { StackError } from '../error.js';
import { newPrivateKey } from './keys.js';
import type { Layout } from '../layout.js';
import type { Stack } from '../places/locate.js';
import { withLock } from '../places/lock.js';
import { taskNames } from '../running/plan.js';
import { readPlan } from '../running/running-plan.js';
import { walletDirectory, type WalletKey } from './wallet-files.js';

/**
 * Creates a key in a party's wallet, which its node can use at once. If the chain is running, the operator funds the
 * key; otherwise the next start does.
 *
 * @throws StackError LOCKED; FUNDING_FAILED if the key was created but not funded
 */
export async function createWalletKey(
  { layout }: Pick<Stack, 'layout'>,
  party: string,
  chainUrl: string | undefined,
): Promise<WalletKey & { readonly funded: boolean }> {
  return withLock(layout.lock, 'chain accounts create', async () => {
    const key = newPrivateKey();
    const address = addressOf(key);
    const directory = walletDirectory(layout, party);
    await makeDirectory(directory);
    const keyFile = join(directory, address);
    await writePrivateFile(keyFile, `${key}\n`);
    if (chainUrl !== undefined) await fund(layout, address, chainUrl);
    return { address, keyFile, funded: chainUrl !== undefined };
  });
}

/** Funds an address from the operator, in a child process, since the signing library is slow to load. */
async function fund(layout: Layout, address: string, chainUrl: string): Promise<void> {
  const plan = await readPlan(layout);
  const spec = plan?.services.find(({ name }) => name === taskNames.contracts);
  // Only the holder of the lock uses this file, and replaces one that a killed call has left.
  const file = join(layout.run, 'fund.json');
  await writeJsonFile(file, { ...Object(spec?.config.value), chainUrl, fund: [address] });
  try {
    const problem = await runTask(taskNames.contracts, file);
    if (problem === undefined) return;
    throw new StackError('FUNDING_FAILED', `The key ${address} was created, but not funded: ${problem}`, {
      hint: 'The next stack start funds it.',
      details: { address },
    });
  } finally {
    await rm(file, { force: true });
  }
}
