import { readIdentityUpdate } from '../../../domain/definition.js';
import { assert } from '../../../domain/invariant.js';
import type { Unit } from '../../../ports/database.js';
import type { IdentityRow } from '../../../ports/tables/chain-tables.js';
import type { MessageRow } from '../../../ports/tables/tables.js';
import { ServiceError } from '../../../wire/errors/error.js';
import type { IdentityUpdate } from '../../../wire/identities/identity.js';
import type { JsonText } from '../../../wire/scalar.js';
import type { DefinitionRule } from './rule.js';

/**
 * `svc_identity_update`: the member that owns an identity sets its description and profile for one namespace
 * (docs/protocol.md §9.6). The identity must be registered in the block of the pin or before.
 */
export const identityRule: DefinitionRule = {
  async judge({ unit }, { message, text, block }) {
    const { record, refusal } = readIdentityUpdate(message.topics, text);
    if (record === undefined) return { refusal };
    const { did } = record;
    const [identity, author] = [await findIdentity(unit, did), await findIdentity(unit, message.author)];
    if (identity === undefined || identity.block > block) {
      return { refusal: new ServiceError('definition_unknown_identity', { did }).message };
    }
    assert(author !== undefined, 'the author of a pinned message is registered');
    if (organizationOf(author) !== organizationOf(identity)) {
      return { refusal: new ServiceError('definition_wrong_author', { did, author: author.did }).message };
    }
    return { note: () => undefined };
  },

  async apply(unit, { message, text, now }) {
    const { record } = readIdentityUpdate(message.topics, text);
    const identity = record === undefined ? undefined : await findIdentity(unit, record.did);
    if (record === undefined || identity === undefined) return undefined;
    return { id: identity.id, namespace: record.namespace, write: () => updateProfile(unit, record, message, now) };
  },

  event: 'identity_updated',
};

/** Applies an update; absent members keep their values. */
async function updateProfile(
  unit: Unit,
  record: IdentityUpdate,
  { id: message }: MessageRow,
  updated: string,
): Promise<void> {
  const { namespace, did: identity, ...changes } = record;
  const changed = await unit.update('profiles', { namespace, identity }, { ...changes, message, updated });
  if (changed > 0) return;
  const first: { description: string | null; profile: JsonText | null } = {
    description: null,
    profile: null,
    ...changes,
  };
  await unit.insert('profiles', [{ namespace, identity, claim: message, message, updated, ...first }]);
}

function findIdentity(unit: Unit, did: string): Promise<IdentityRow | undefined> {
  return unit.first('identities', { did });
}

function organizationOf({ did, parent }: IdentityRow): string {
  return parent ?? did;
}
