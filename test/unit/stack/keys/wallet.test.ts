import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { createWalletKey } from '../../../../src/stack/keys/wallet.js';
import { readWallet, walletFiles } from '../../../../src/stack/keys/wallet-files.js';
import { replaceDisk } from '../fixtures/disk.js';
import { aNetwork } from '../snapshot/a-network.js';

test('A key appears in the wallet only when its private file is complete', async () => {
  const stack = await aNetwork();
  const before = await walletFiles(stack.layout, 'alice');
  const seen: string[] = [];
  replaceDisk(({ rename }) => ({
    rename: async (from, to) => {
      // The temporary file is complete, and a node that reads the wallet now must not find it.
      if (dirname(String(to)).endsWith('wallet')) {
        seen.push(readFileSync(from, 'utf8'), ...(await walletFiles(stack.layout, 'alice')));
      }
      await rename(from, to);
    },
  }));
  const { address, keyFile, funded } = await createWalletKey(stack, 'alice', undefined);
  expect(seen).toEqual([readFileSync(keyFile, 'utf8'), ...before]);
  expect(funded).toBe(false);
  expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  expect(await readWallet(stack.layout, 'alice')).toContainEqual({ address, keyFile });
});
