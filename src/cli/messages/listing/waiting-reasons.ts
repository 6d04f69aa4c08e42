import { ClientError, UnreachableError } from '../../../client/errors.js';
import type { Status } from '../../../wire/network/status.js';
import { limitSignal } from '../../duration.js';
import type { PartyNode } from '../../requests/target.js';

const limitMs = 2_000;

/** Reads the status of a party's node; `away` if it does not answer, `absent` if it has none. */
type StatusOf = (party: PartyNode) => Promise<Status | 'absent' | 'away'>;

/**
 * Describes in sentences the services that nodes wait for, to explain a missing confirmation; empty if they wait for
 * none.
 */
export async function waitingReasons(parties: readonly PartyNode[], statusOf: StatusOf = readStatus): Promise<string> {
  const reasons = await Promise.all(parties.map((party) => reasonAt(party, statusOf)));
  return reasons.flat().join(' ');
}

/** Whether an error is a full disk: chain and store respond with 507; nodes say so of IPFS nodes and their own disk. */
export function isDiskFull(error: string): boolean {
  return /\b507\b|disk is full/.test(error);
}

function remedyOf(error: string): string {
  return isDiskFull(error) ? ' The disk is full: free some space.' : '';
}

async function reasonAt(party: PartyNode, statusOf: StatusOf): Promise<string[]> {
  const { name } = party;
  try {
    const status = await statusOf(party);
    if (status === 'absent') return [];
    if (status === 'away') return [`${name} does not answer.`];
    return status.parley.waiting.map(
      ({ service, error }) => `${name} waits for ${service}: ${error}${remedyOf(error)}`,
    );
  } catch (error) {
    // The credential may only permit sending.
    if (error instanceof ClientError) return [];
    throw error;
  }
}

async function readStatus({ client }: PartyNode): Promise<Status | 'away'> {
  const signal = limitSignal(limitMs);
  try {
    return (await client.getStatus({ signal })).value;
  } catch (error) {
    if (error instanceof UnreachableError || signal.aborted) return 'away';
    throw error;
  }
}
