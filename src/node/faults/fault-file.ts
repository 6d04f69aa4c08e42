import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import { type Fault, FaultFile, isInForce } from '../../wire/network/faults.js';
import { watchFile } from '../watched-file.js';

/** The injected faults that currently apply to a node. */
export interface Faults {
  /** Faults of the link from it to the peer with this public-key hash. */
  towards(publicKeyHash: string): readonly Fault[];
  /** Faults of its reads from the shared store. */
  ofReads(): readonly Fault[];
}

export interface FaultFileOptions {
  readonly file: string;
  /** The public-key hash of this node. */
  readonly own: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/**
 * Reads the faults from a file at each query. A missing or unreadable file means no faults.
 */
export function openFaultFile({ file, own, clock, log }: FaultFileOptions): Faults {
  const readFaults = watchFile({ file, schema: FaultFile, contents: 'faults', log });
  const inForce = (): readonly Fault[] => (readFaults()?.faults ?? []).filter((fault) => isInForce(fault, clock.now()));
  return {
    towards: (peer) =>
      inForce().filter(({ kind, from, to, oneWay }) => {
        if (kind === 'drop') return false;
        return (from.key === own && to?.key === peer) || (!oneWay && to?.key === own && from.key === peer);
      }),
    ofReads: () => inForce().filter(({ kind, from }) => kind === 'drop' && from.key === own),
  };
}
