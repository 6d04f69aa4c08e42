import { methodOf, nodeDid } from '../../domain/network/identity.js';
import type { OwnIdentity } from '../../pipeline/state/identities/own-identity.js';
import type { Database } from '../../ports/database.js';
import type { IdentityRow } from '../../ports/tables/chain-tables.js';
import type { Namespace } from '../../wire/network/namespace.js';

/** The contract of the network as this node follows it. */
export interface FollowedContract {
  readonly address: string;
  readonly firstBlock: number;
}

/**
 * The API's record of a namespace. Both names are equal; it begins when this party joined the network (docs/api.md
 * §21.1).
 */
export function namespaceRecord(name: string, created: string | undefined): Namespace {
  return { name, networkName: name, description: '', ...(created !== undefined && { created }) };
}

/** The DID of a member's node, with the method of its network. */
export function nodeDidOf({ did }: Pick<OwnIdentity, 'did'>, node: string): string {
  return nodeDid(node, methodOf(did));
}

/** The time at which a member joined the network; undefined before that. */
export async function joined(database: Database, did: string): Promise<string | undefined> {
  return (await findMember(database, did))?.created;
}

/** An identity by its DID. */
export function findMember(database: Database, did: string): Promise<IdentityRow | undefined> {
  return database.first('identities', { did });
}

/**
 * The contract in the form that clients of FireFly read. `version` is FireFly's number for contracts without namespaces
 * on the chain, like Parley's.
 */
export function activeContract({ address, firstBlock }: FollowedContract) {
  const info = { subscription: 'network', version: 2 };
  return { index: 0, location: { address }, firstEvent: String(firstBlock), info };
}
