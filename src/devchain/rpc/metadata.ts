import type { Chain } from '../engine/chain.js';

/** The name and version of the engine, as JSON text. */
export async function clientVersion(chain: Chain): Promise<string> {
  return JSON.stringify(await nameOf(chain));
}

/**
 * The response to `hardhat_metadata`, as JSON text. Deployment tools forget their deployments when `instanceId`
 * changes, so it must survive a restart and change with a reset. The hash of block 1 does, since it depends on the time
 * of the block; the genesis can be the same after a reset.
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

/** The engine reports only its own name, but Hardhat's helpers for time and blocks require `HardhatNetwork`. */
async function nameOf(chain: Chain): Promise<string> {
  const ofEngine = String(JSON.parse(await chain.ask('web3_clientVersion', [])));
  return ofEngine.startsWith('edr/') ? `HardhatNetwork/${ofEngine}` : ofEngine;
}
