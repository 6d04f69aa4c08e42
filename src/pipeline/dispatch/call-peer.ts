import { assert } from '../../domain/invariant.js';
import { type Peer, type PeerAnswer, PeerError } from '../../ports/data-exchange.js';
import type { Database } from '../../ports/database.js';
import type { OperationRow } from '../../ports/tables/tables.js';
import type { AttemptResult, Settlement } from '../operations/attempt.js';

/**
 * Calls a peer. An absent peer and the answer "later" are retried; a refusal ends the operation and `failed` writes its
 * consequences (docs/protocol.md §11.6).
 */
export async function callPeer(
  peer: Peer | undefined,
  call: (peer: Peer) => Promise<PeerAnswer>,
  failed: Settlement['write'],
): Promise<AttemptResult<Settlement>> {
  if (peer === undefined) return { status: 'unreachable', error: 'The registry has no address of this node yet.' };
  const answer = await call(peer).catch(unreached);
  if (answer instanceof PeerError) return { status: 'unreachable', error: answer.message };
  switch (answer.status) {
    case 'stored':
      return { status: 'done', output: { output: {}, write: async () => [] } };
    case 'later':
      return { status: 'later', error: answer.reason };
    case 'refused':
      return { status: 'failed', error: `The peer refused: ${answer.reason}`, write: failed };
  }
}

/** Returns the peer that an operation names, with its current address in the registry; undefined while it has none. */
export async function findPeer(database: Database, { input }: OperationRow): Promise<Peer | undefined> {
  const { peer } = input;
  assert(typeof peer === 'string', 'what is sent to a peer names it');
  const node = await database.first('identities', { id: peer, type: 'node' });
  if (node?.endpoint == null || node.publicKeyHash === null || node.endpoint === '') return undefined;
  return { endpoint: node.endpoint, publicKeyHash: node.publicKeyHash };
}

function unreached(error: unknown): PeerError {
  if (error instanceof PeerError) return error;
  throw error;
}
