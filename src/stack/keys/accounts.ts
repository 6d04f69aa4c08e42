import { readFile } from 'node:fs/promises';
import { type Static, Type } from '@sinclair/typebox';
import { readJsonFile, writeJsonFile } from '../../supervisor/files/json-file.js';
import { exists } from '../../supervisor/machine/directory.js';
import { addressOf } from '../../domain/chain/keys.js';
import type { StackSettings } from '../definition/definition.js';
import { StackError } from '../error.js';
import { operatorKeyFile, operatorKeyOf, signingKeyFile, spareKeyFiles } from './keys.js';
import type { Layout } from '../layout.js';
import { readWallet } from './wallet-files.js';

const Address = Type.String({ pattern: '^0x[0-9a-f]{40}$' });
const AccountsFile = Type.Object({
  operator: Address,
  parties: Type.Record(
    Type.String(),
    Type.Object({ signing: Address, spare: Type.Array(Address), wallet: Type.Optional(Type.Array(Address)) }),
  ),
});
/** The addresses of a stack's keys: `accounts.json`, which is not secret. */
export type Accounts = Static<typeof AccountsFile>;

const GenesisFile = Type.Object({
  chainId: Type.Integer(),
  genesisTime: Type.String(),
  accounts: Type.Array(Type.Object({ address: Address, balance: Type.String() })),
});
/** The genesis of a chain, which can never change: `genesis.json`. */
export type Genesis = Static<typeof GenesisFile>;

/** A million ether: more than a local network can spend. */
const balanceWei = `1${'0'.repeat(24)}`;

/** The addresses of a stack at its last start; undefined before its first start. */
export function readAccounts(layout: Layout): Promise<Accounts | undefined> {
  return readJsonFile(layout.accounts, AccountsFile);
}

/**
 * Checks that no random key of the last start is missing: a new one in its place would be that of a stranger.
 *
 * @throws StackError KEY_INVALID
 */
export async function requireFormerKeys(layout: Layout, settings: StackSettings): Promise<void> {
  // A file that cannot be read is written again from the keys.
  const former = await readAccounts(layout).catch(() => undefined);
  if (former === undefined || settings.keys.source === 'test') return;
  const paths = settings.parties.flatMap(({ name, keyFile }) => {
    const known = former.parties[name];
    const spare = spareKeyFiles(layout, name, Math.min(known?.spare.length ?? 0, settings.accounts.spare));
    return known === undefined || keyFile !== undefined ? spare : [signingKeyFile(layout, name), ...spare];
  });
  const operator = operatorKeyFile(layout);
  for (const path of operatorKeyOf(layout, settings) === operator ? [operator, ...paths] : paths) {
    if (await exists(path)) continue;
    throw new StackError('KEY_INVALID', `The key ${path} is missing.`, {
      hint: 'Put the key back, or remove the stack and create it again.',
      details: { path },
    });
  }
}

/** Derives the addresses of a stack from its keys and writes them to a file. */
export async function deriveAccounts(layout: Layout, settings: StackSettings): Promise<Accounts> {
  const parties = settings.parties.map(async ({ name }) => {
    const spare = await Promise.all(spareKeyFiles(layout, name, settings.accounts.spare).map(addressIn));
    const wallet = (await readWallet(layout, name)).map(({ address }) => address);
    const made = wallet.filter((address) => !spare.includes(address));
    return [name, { signing: await addressIn(signingKeyFile(layout, name)), spare, wallet: made }] as const;
  });
  const accounts = {
    operator: await addressIn(operatorKeyOf(layout, settings)),
    parties: Object.fromEntries(await Promise.all(parties)),
  };
  await writeJsonFile(layout.accounts, accounts);
  return accounts;
}

/** The addresses without an initial balance, whose keys were created later. */
export function laterAddresses(accounts: Accounts, genesis: Genesis): string[] {
  const funded = new Set(genesis.accounts.map(({ address }) => address));
  return addressesOf(accounts).filter((address) => !funded.has(address));
}

function addressesOf({ operator, parties }: Accounts): string[] {
  return [
    operator,
    ...Object.values(parties).flatMap(({ signing, spare, wallet = [] }) => [signing, ...spare, ...wallet]),
  ];
}

/**
 * Determines the genesis of a stack's chain: at its first start from the definition, afterwards as recorded.
 *
 * @throws StackError STATE_INVALID if the definition was changed in a part that cannot change
 */
export async function fixGenesis(layout: Layout, settings: StackSettings, accounts: Accounts): Promise<Genesis> {
  // A chain that others run has its own genesis.
  if (settings.chain.external !== null) return { chainId: 0, genesisTime: '', accounts: [] };
  const fixed = await readJsonFile(layout.genesis, GenesisFile);
  const { chainId, genesisTime } = settings.chain;
  if (fixed !== undefined) {
    if (fixed.chainId === chainId && fixed.genesisTime === genesisTime) return fixed;
    throw new StackError('STATE_INVALID', 'chain.chainId and chain.genesisTime cannot change while the chain exists.', {
      hint: `Set them back to ${fixed.chainId} and ${fixed.genesisTime}, or start over: stack reset`,
    });
  }
  const funded = addressesOf(accounts).map((address) => ({ address, balance: balanceWei }));
  const genesis = { chainId, genesisTime, accounts: funded };
  await writeJsonFile(layout.genesis, genesis);
  return genesis;
}

async function addressIn(keyFile: string): Promise<string> {
  return addressOf((await readFile(keyFile, 'utf8')).trim());
}
