import type { Clock } from '../../ports/clock.js';
import type { DataExchange } from '../../ports/data-exchange.js';
import type { Log } from '../../ports/log.js';
import type { SharedStore } from '../../ports/shared-store.js';
import { createDisturbance } from './disturbance.js';
import { disturbExchange } from './exchange.js';
import { openFaultFile } from './fault-file.js';
import { disturbReads } from './reads.js';

interface OutgoingPorts<Exchange> {
  readonly dataExchange: Exchange;
  readonly sharedStore: SharedStore;
}

interface FaultPorts {
  readonly own: { readonly publicKeyHash: string };
  readonly clock: Clock;
  readonly log: Log;
}

/** The outgoing connections of a node with the faults of a file applied; undefined = no fault injection. */
export function disturbed<Exchange extends DataExchange>(
  file: string | undefined,
  { dataExchange, sharedStore }: OutgoingPorts<Exchange>,
  { own, clock, log }: FaultPorts,
): OutgoingPorts<Exchange> {
  if (file === undefined) return { dataExchange, sharedStore };
  const faults = openFaultFile({ file, own: own.publicKeyHash, clock, log });
  const disturb = (refuse: (sentence: string) => Error) => createDisturbance(clock, refuse);
  return {
    dataExchange: disturbExchange(dataExchange, faults, disturb),
    sharedStore: disturbReads(sharedStore, faults, disturb),
  };
}
