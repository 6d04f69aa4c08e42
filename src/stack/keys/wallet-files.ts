import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { namesIn } from '../../supervisor/machine/directory.js';
import { addressOf } from '../../domain/chain/keys.js';
import type { Layout } from '../layout.js';

/** The directory of a party's further keys, one file each: spare ones, created ones, those of custom identities. */
export function walletDirectory(layout: Layout, party: string): string {
  return join(layout.keys, party, 'wallet');
}

/** The files of a party's wallet, by name; those whose names begin with a dot are incomplete. */
export async function walletFiles(layout: Layout, party: string): Promise<string[]> {
  const directory = walletDirectory(layout, party);
  const names = await namesIn(directory);
  return names
    .filter((name) => !name.startsWith('.'))
    .sort()
    .map((name) => join(directory, name));
}

/** A key of a party's node besides its organisation's. */
export interface WalletKey {
  readonly address: string;
  readonly keyFile: string;
}

/** The current keys of a party's wallet. */
export async function readWallet(layout: Layout, party: string): Promise<WalletKey[]> {
  return Promise.all(
    (await walletFiles(layout, party)).map(async (keyFile) => {
      return { address: addressOf((await readFile(keyFile, 'utf8')).trim()), keyFile };
    }),
  );
}
