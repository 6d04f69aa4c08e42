import { join } from 'node:path';
import type { WalletPorts } from '../../pipeline/pipeline.js';
import type { Log } from '../../ports/log.js';
import type { Random } from '../../ports/random.js';
import type { NodeConfig } from '../config.js';
import { createKeyStore, readPrivateKey } from './keys.js';

/** The keys that a node signs with, and the ways to add more. */
export interface NodeWallet extends WalletPorts {
  /** The organisation's key first. */
  readonly privateKeys: readonly string[];
}

/** Reads all keys of a node. @throws Error if one is not a key, or others could have read it */
export async function openWallet(config: NodeConfig, random: Random, log: Log): Promise<NodeWallet> {
  const earlier = join(config.dataDirectory, 'keys');
  const store = createKeyStore({ directory: config.walletDirectory ?? earlier, earlier, random, log });
  return {
    privateKeys: [await readPrivateKey(config.keyFile), ...(await store.load())],
    createKey: store.create,
    readKeys: store.readable,
    fundsKeys: config.chain.fundsKeys,
  };
}
