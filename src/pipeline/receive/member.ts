import { customDid, identityId, nodeDid, organizationDid, systemNamespace } from '../../domain/network/identity.js';
import type { ProfileRules } from '../../domain/network/profile.js';
import type { CreationLog, KeyLog, MemberLog, NetworkLog, NodeLog } from '../../ports/blockchain.js';
import type { Unit } from '../../ports/database.js';
import type { Random } from '../../ports/random.js';
import type { IdentityRow } from '../../ports/tables/chain-tables.js';
import type { NewRow } from '../../ports/tables/tables.js';
import type { Bell } from '../bus.js';
import { newDefinitionEvent } from '../state/events/event-row.js';
import { recordRules } from '../state/rulebook.js';

export interface MembershipParts {
  /** Namespaces of this node, including the system's; each gets the events of new identities. */
  readonly namespaces: readonly string[];
  readonly random: Random;
  readonly profileRules: Pick<ProfileRules, 'didMethod'>;
  readonly contract: string;
}

type MembershipLog = CreationLog | MemberLog | KeyLog | NodeLog;

/** Whether a log changes the registry or the network's limits. */
export function isMembershipLog(log: NetworkLog): log is MembershipLog {
  return log.type !== 'batch_pin';
}

/**
 * Stores the registry's changes as identities and keys (docs/protocol.md §4.2). The contract keeps names and keys
 * unique, so inserts cannot conflict.
 */
export async function applyMembership(
  unit: Unit,
  logs: readonly MembershipLog[],
  parts: MembershipParts,
): Promise<readonly Bell[]> {
  for (const log of logs) {
    switch (log.type) {
      case 'network_created':
        await recordRules(unit, parts.contract, log.limits);
        break;
      case 'member_added':
        await addMember(unit, log, parts);
        break;
      case 'key_added':
        await addKey(unit, log, parts);
        break;
      case 'node_changed':
        await changeNode(unit, log, parts);
        break;
    }
  }
  // This node's own key may be new, so its messages can be sealed; a new peer has new lanes.
  return ['messages', 'operations', 'events', 'members'];
}

async function addMember(unit: Unit, log: MemberLog, parts: MembershipParts): Promise<void> {
  const didMethod = parts.profileRules.didMethod;
  const organization = organizationDid(log.organization, didMethod);
  const node = nodeDid(log.node, didMethod);
  await addIdentities(unit, parts, [
    newIdentity(log, { did: organization, type: 'org', parent: null, name: log.organization }),
    {
      ...newIdentity(log, { did: node, type: 'node', parent: organization, name: log.node }),
      endpoint: log.endpoint,
      publicKeyHash: log.publicKeyHash,
    },
  ]);
  await unit.put('keys', [{ namespace: systemNamespace, key: log.key, identity: organization, created: log.time }]);
}

async function addKey(unit: Unit, log: KeyLog, parts: MembershipParts): Promise<void> {
  const didMethod = parts.profileRules.didMethod;
  const isOrganization = log.isOrganization === true;
  const did = isOrganization ? organizationDid(log.name, didMethod) : customDid(log.name, didMethod);
  const type = isOrganization ? 'org' : 'custom';
  const parent = organizationDid(log.organization, didMethod);
  await addIdentities(unit, parts, [newIdentity(log, { did, type, parent, name: log.name })]);
  await unit.put('keys', [{ namespace: systemNamespace, key: log.key, identity: did, created: log.time }]);
}

/** Stores identities, with `identity_confirmed` in every namespace (docs/api.md §13.2). */
async function addIdentities(
  unit: Unit,
  { namespaces, random }: MembershipParts,
  identities: readonly NewRow<'identities'>[],
): Promise<void> {
  await unit.put('identities', identities);
  const events = identities.flatMap(({ id, created }) =>
    namespaces.map((namespace) =>
      newDefinitionEvent({
        namespace,
        id: random.uuid(),
        type: 'identity_confirmed',
        reference: id,
        referenceHash: '',
        created,
      }),
    ),
  );
  await unit.put('events', events);
}

async function changeNode(unit: Unit, log: NodeLog, { profileRules }: MembershipParts): Promise<void> {
  const parent = organizationDid(log.organization, profileRules.didMethod);
  const { endpoint, publicKeyHash, time: updated } = log;
  await unit.update('identities', { type: 'node', parent }, { endpoint, publicKeyHash, updated });
}

function newIdentity(
  log: Pick<MembershipLog, 'time' | 'position'>,
  identity: Pick<IdentityRow, 'did' | 'type' | 'parent' | 'name'>,
): NewRow<'identities'> {
  return {
    ...identity,
    namespace: systemNamespace,
    id: identityId(identity.did),
    created: log.time,
    block: log.position.block,
    endpoint: null,
    publicKeyHash: null,
    updated: null,
  };
}
