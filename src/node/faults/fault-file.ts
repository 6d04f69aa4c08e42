import { readFileSync, statSync } from 'node:fs';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import { assertConforms } from '../../wire/check.js';
import { type Fault, FaultFile, isInForce } from '../../wire/faults.js';
import { read } from '../../wire/json-reader.js';

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
 * Reads the faults from a file at each query, so that setting or clearing one needs no notification. A missing file
 * means no faults. A query costs one look at the directory.
 */
export function openFaultFile({ file, own, clock, log }: FaultFileOptions): Faults {
  let stamp = '';
  let known: readonly Fault[] = [];
  const inForce = (): readonly Fault[] => {
    const found = stampOf(file);
    if (found !== stamp) known = found === '' ? [] : readFaults(file, log);
    stamp = found;
    return known.filter((fault) => isInForce(fault, clock.now()));
  };
  return {
    towards: (peer) =>
      inForce().filter(({ kind, from, to, oneWay }) => {
        if (kind === 'drop') return false;
        return (from.key === own && to?.key === peer) || (!oneWay && to?.key === own && from.key === peer);
      }),
    ofReads: () => inForce().filter(({ kind, from }) => kind === 'drop' && from.key === own),
  };
}

function stampOf(file: string): string {
  const entry = statSync(file, { bigint: true, throwIfNoEntry: false });
  return entry === undefined ? '' : `${entry.ino} ${entry.mtimeNs} ${entry.size}`;
}

/** The file is replaced atomically, so an unreadable one was not written by Parley and is ignored. */
function readFaults(file: string, log: Log): readonly Fault[] {
  try {
    const { value } = read(readFileSync(file, 'utf8'), FaultFile);
    assertConforms(FaultFile, value, 'the file of faults');
    return value.faults;
  } catch (error) {
    log.warn('The file of faults cannot be read; none is in force', { file, error: String(error) });
    return [];
  }
}
