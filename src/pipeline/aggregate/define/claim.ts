import { readIdentityClaim } from '../../../domain/definition.js';
import { ServiceError } from '../../../wire/errors/error.js';
import type { DefinitionRule } from './rule.js';

/**
 * `svc_identity_claim`: a claim of an identity whose name or key is taken. Identities come from the registry only, so
 * it is always rejected, visibly to all members, as FireFly's clients expect.
 */
export const claimRule: DefinitionRule = {
  judge(_, { message, text }) {
    const { record, refusal } = readIdentityClaim(message.topics, text);
    if (record === undefined) return Promise.resolve({ refusal });
    const what = `The identity ${record.did}, or its key,`;
    return Promise.resolve({ refusal: new ServiceError('definition_name_taken', { what }).message });
  },
  apply: () => Promise.resolve(undefined),
  event: 'identity_updated',
};
