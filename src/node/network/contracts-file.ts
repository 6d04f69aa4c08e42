import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import { type Contracts, type NodeConfig, readContracts } from '../config.js';
import { addressesOf } from '../tokens/connectors.js';

const contractsPollMs = 20;

/** Waits for the file that the deployment task writes. @throws Error if the node must stop first */
export async function untilContracts(
  config: NodeConfig,
  { clock, log, signal }: { readonly clock: Clock; readonly log: Log; readonly signal: AbortSignal },
): Promise<Contracts> {
  const { chain } = config;
  let hasTold = false;
  for (;;) {
    const contracts = await readContracts(chain.contractsFile);
    // A network of an earlier version lacks the token contracts until the task has run.
    if (contracts !== undefined && addressesOf(config, contracts) !== undefined) return contracts;
    if (signal.aborted) throw new Error('Stopped while waiting for the contracts');
    if (!hasTold) log.info('Waiting for the contracts of the network', { file: chain.contractsFile });
    hasTold = true;
    await clock.sleep(contractsPollMs, signal);
  }
}
