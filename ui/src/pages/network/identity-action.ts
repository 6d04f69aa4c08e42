import { IdentityRequest } from '../../../../src/wire/identity.js';
import { write } from '../../../../src/wire/json.js';
import { namePattern, nameRule } from '../../../../src/wire/scalar.js';
import type { Action } from '../../actions/action.js';
import { jsonOf, jsonProblem } from '../../actions/json-text.js';
import type { Problems } from '../../actions/problems.js';

/** What is entered to register an identity. */
export interface IdentityValues {
  readonly name: string;
  readonly description: string;
  readonly profile: string;
  readonly key: string;
  readonly idempotencyKey: string;
}

const keyPattern = /^0x[0-9a-f]{40}$/i;

/** Looks at an identity before it is registered. The node looks again. */
export function judgeIdentity({ name, profile, key }: IdentityValues): Problems<keyof IdentityValues> {
  const problem = profile === '' ? undefined : profileProblem(profile);
  return {
    ...(!namePattern.test(name) && { name: `A name has ${nameRule}.` }),
    ...(problem !== undefined && { profile: problem }),
    ...(key !== '' && !keyPattern.test(key) && { key: 'A key is an address: 0x and 40 hexadecimal digits.' }),
  };
}

function profileProblem(profile: string): string | undefined {
  return jsonProblem(profile) ?? (profile.trim().startsWith('{') ? undefined : 'A profile is a JSON object.');
}

/** The request that registers a custom identity; undefined while something is missing or wrong. */
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
