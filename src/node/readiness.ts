import type { Pipeline } from '../pipeline/pipeline.js';
import type { Blockchain } from '../ports/blockchain.js';
import type { Clock } from '../ports/clock.js';

/** Limit for reading the chain during a start; after that the node serves what it has. */
const maxCatchUpMs = 5_000;
/** Each check may open a connection to a chain that is not running yet. */
const catchUpPollMs = 20;

/**
 * Returns the readiness check: it passes when the right chain is read up to the block that had enough confirmations at
 * the first check.
 */
export function readinessOf(
  pipeline: Pick<Pipeline, 'isFollowing' | 'processedBlock'>,
  { blockchain }: { readonly blockchain: Pick<Blockchain, 'status'> },
): () => Promise<boolean> {
  let target: number | undefined;
  return async () => {
    target ??= await blockchain.status().then(
      ({ confirmed }) => confirmed,
      () => undefined,
    );
    return target !== undefined && pipeline.isFollowing() && pipeline.processedBlock() >= target;
  };
}

/** Resolves when `isReady` says that the chain is read, after five seconds, or when the signal aborts. */
export async function untilCaughtUp(isReady: () => Promise<boolean>, clock: Clock, signal: AbortSignal): Promise<void> {
  const startMs = clock.monotonicMs();
  while (!(await isReady()) && clock.monotonicMs() - startMs < maxCatchUpMs && !signal.aborted) {
    await clock.sleep(catchUpPollMs, signal);
  }
}
