import { type Identity, IdentityChange, IdentityRequest } from '../../../../src/wire/identities/identity.js';
import { indentJson } from '../../../../src/wire/json/json-indent.js';
import { textOf, write } from '../../../../src/wire/json/json.js';
import { namePattern, nameRule } from '../../../../src/wire/scalar.js';
import { type Action, pathOf } from '../../actions/action.js';
import { jsonOf, jsonProblem } from '../../actions/json-text.js';
import type { Problems } from '../../actions/problems.js';

export interface IdentityValues {
  readonly name: string;
  readonly description: string;
  readonly profile: string;
  readonly key: string;
  readonly idempotencyKey: string;
}

const keyPattern = /^0x[0-9a-f]{40}$/i;

/** Validates the fields of a new identity. The node validates them again. */
export function judgeIdentity({ name, profile, key }: IdentityValues): Problems<keyof IdentityValues> {
  const problem = profile === '' ? undefined : profileProblem(profile);
  return {
    ...(!namePattern.test(name) && { name: `A name has ${nameRule}.` }),
    ...(problem !== undefined && { profile: problem }),
    ...(key !== '' && !keyPattern.test(key) && { key: 'Enter 0x and 40 hex digits.' }),
  };
}

function profileProblem(profile: string): string | undefined {
  return jsonProblem(profile) ?? (profile.trim().startsWith('{') ? undefined : 'A profile is a JSON object.');
}

/** The request that registers a custom identity; undefined while the fields are incomplete or invalid. */
export function identityAction(values: IdentityValues): Action | undefined {
  if (Object.keys(judgeIdentity(values)).length > 0) return undefined;
  const { name, description, key, idempotencyKey } = values;
  const profile = values.profile === '' ? undefined : jsonOf(values.profile);
  const request = {
    name,
    ...(key !== '' && { key }),
    ...(description !== '' && { description }),
    ...(profile !== undefined && { profile }),
    ...(idempotencyKey !== '' && { idempotencyKey }),
  };
  return {
    method: 'POST',
    path: 'identities',
    body: write(IdentityRequest, request),
    sdk: { method: 'createIdentity' },
  };
}

export interface IdentityChangeValues {
  readonly description: string;
  readonly profile: string;
}

export function changeValuesOf({ description = '', profile }: Identity): IdentityChangeValues {
  return { description, profile: profile === undefined ? '' : indentJson(profile) };
}

/** Validates a change. A profile cannot be removed, only emptied. */
export function judgeIdentityChange(
  former: Identity,
  { profile }: IdentityChangeValues,
): Problems<keyof IdentityChangeValues> {
  if (profile === '') return former.profile === undefined ? {} : { profile: 'Enter {} to empty the profile.' };
  const problem = profileProblem(profile);
  return problem === undefined ? {} : { profile: problem };
}

/** The request that changes an identity; undefined while there is no valid change. */
export function identityChangeAction(former: Identity, values: IdentityChangeValues): Action | undefined {
  if (Object.keys(judgeIdentityChange(former, values)).length > 0) return undefined;
  const before = changeValuesOf(former);
  const profile = values.profile === before.profile ? undefined : jsonOf(values.profile);
  const isDescribed = values.description !== before.description;
  if (!isDescribed && profile === undefined) return undefined;
  const change = {
    ...(isDescribed && { description: values.description }),
    ...(profile !== undefined && { profile }),
  };
  const body = write(IdentityChange, change);
  return {
    method: 'PATCH',
    path: pathOf('identities', former.id),
    query: { confirm: 'true' },
    body,
    sdk: { method: 'updateIdentity', arguments: [textOf(former.id), body, textOf({ confirm: true })] },
  };
}
