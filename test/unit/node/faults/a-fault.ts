import { sha256 } from '../../../../src/domain/hash.js';
import type { Fault } from '../../../../src/wire/network/faults.js';

/** Returns the public-key hash of a party's node. */
export function keyOf(party: string): string {
  return sha256(Buffer.from(party));
}

/** Returns a fault between two parties, or of the reads of one. */
export function aFault(kind: Fault['kind'], from: string, to?: string, changes: Partial<Fault> = {}): Fault {
  return {
    id: 'f1',
    kind,
    from: { party: from, key: keyOf(from) },
    oneWay: false,
    since: '2026-01-01T00:00:00.000Z',
    ...(to !== undefined && { to: { party: to, key: keyOf(to) } }),
    ...(kind === 'delay' && { delayMs: 200 }),
    ...changes,
  };
}
