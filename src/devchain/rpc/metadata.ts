import type { Chain } from '../engine/chain.js';

/** How the program is called, as JSON text. */
export async function clientVersion(chain: Chain): Promise<string> {
  return JSON.stringify(await nameOf(chain));
}

/**
 * The chain as tools for deployment tell it from others with the same chain id, as JSON text. Its id stays for as long
 * as the chain does, restarts included: they forget what they have deployed to any other. The genesis may be that of
 * the chain before a reset; the block after it has the time at which it was made.
 */
export async function metadata(chain: Chain): Promise<string> {
  const { number, hash } = chain.head();
  return JSON.stringify({
    clientVersion: await nameOf(chain),
    chainId: Number(JSON.parse(await chain.ask('eth_chainId', []))),
    instanceId: (await chain.hashOf(1)) ?? (await chain.hashOf(0)),
    latestBlockNumber: number,
    latestBlockHash: hash,
  });
}

/** Hardhat's engine says its own name, by which Hardhat's helpers for time and blocks do not know it as Hardhat's. */
async function nameOf(chain: Chain): Promise<string> {
  const ofEngine = String(JSON.parse(await chain.ask('web3_clientVersion', [])));
  return ofEngine.startsWith('edr/') ? `HardhatNetwork/${ofEngine}` : ofEngine;
}
