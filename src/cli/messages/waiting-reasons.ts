import { ClientError, UnreachableError } from '../../client/errors.js';
import type { PartyNode } from '../target.js';

const limitMs = 2_000;

/**
 * The services that nodes wait for, and why, as sentences for whoever waits in vain for a confirmation; empty where
 * the nodes name none.
 */
export async function waitingReasons(parties: readonly PartyNode[]): Promise<string> {
  const reasons = await Promise.all(parties.map(reasonAt));
  return reasons.flat().join(' ');
}

/** Chain and store answer 507 when the disk has no room. */
function remedyOf(error: string): string {
  return /\b507\b/.test(error) ? ' The disk is full: free some space.' : '';
}

async function reasonAt({ client, name }: PartyNode): Promise<string[]> {
  const signal = AbortSignal.timeout(limitMs);
  try {
    const { value } = await client.getStatus({ signal });
    return value.parley.waiting.map(({ service, error }) => `${name} waits for ${service}: ${error}${remedyOf(error)}`);
  } catch (error) {
    if (error instanceof UnreachableError || signal.aborted) return [`${name} does not answer.`];
    // A credential may be good for sending alone.
    if (error instanceof ClientError) return [];
    throw error;
  }
}
