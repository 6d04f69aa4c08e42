import { methodOf, nodeDid } from '../../domain/network/identity.js';
import type { OwnIdentity } from '../../pipeline/common/identities/own-identity.js';
import type { Database } from '../../ports/database.js';
import type { IdentityRow } from '../../ports/tables/chain-tables.js';
import type { Namespace } from '../../wire/network/namespace.js';

/** The contract of the network as this node follows it. */
export interface FollowedContract {
  readonly address: string;
  readonly firstBlock: number;
}

/**
 * A namespace as it is served. Both names are equal, and it begins when the network takes this party in
 * (docs/api.md §21.1).
 */
export function namespaceRecord(name: string, created: string | undefined): Namespace {
  return { name, networkName: name, description: '', ...(created !== undefined && { created }) };
}

/** The DID of a member's node, in the spelling of its network. */
export function nodeDidOf({ did }: Pick<OwnIdentity, 'did'>, node: string): string {
  return nodeDid(node, methodOf(did));
}

/** When the network took a member in; undefined while it has not. */
export async function joined(database: Database, did: string): Promise<string | undefined> {
  return (await findMember(database, did))?.created;
}

/** An identity by its DID. */
export function findMember(database: Database, did: string): Promise<IdentityRow | undefined> {
  return database.first('identities', { did });
}

/**
 * The contract as clients of FireFly read it. `version` is FireFly's number for contracts that leave namespaces off the
 * chain, as ours does.
 */
export function activeContract({ address, firstBlock }: FollowedContract) {
  const info = { subscription: 'network', version: 2 };
  return { index: 0, location: { address }, firstEvent: String(firstBlock), info };
}
