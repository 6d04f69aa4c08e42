import assert from 'node:assert/strict';
import { identityId } from '../../domain/network/identity.js';
import type { AcceptedIdentity, IdentityAcceptance, TakenClaim } from '../../pipeline/accept/identities/identity.js';
import { isServiceError } from '../../wire/errors/error.js';
import type { Identity, IdentityRequest } from '../../wire/identities/identity.js';
import { type Confirm, isConfirmed, type WaitingRequest } from '../messages/confirm.js';

type ClaimRequest = WaitingRequest & {
  readonly namespace: string;
  readonly body: IdentityRequest;
  readonly isStrict: boolean;
};

interface ClaimParts {
  readonly confirm: Confirm;
  readonly acceptance: Pick<IdentityAcceptance, 'acceptIdentity' | 'acceptTakenClaim'>;
  /** An identity as a namespace shows it. */
  readonly shown: (namespace: string, did: string) => Promise<Identity>;
}

/**
 * Registers a custom identity, or an organisation below this member. A claim of a name or key that is taken is refused
 * for a strict caller; a client of FireFly expects it to be accepted, and then rejected visibly to all members.
 */
export function createClaim({ confirm, acceptance, shown }: ClaimParts) {
  async function claim(request: ClaimRequest): Promise<Identity> {
    const { namespace, body, query } = request;
    const isWaiting = isConfirmed(query);
    const accepted = await confirm.operation(request, {
      start: () => acceptance.acceptIdentity(namespace, body),
      isOutcome: ({ id }, event) =>
        event.type === 'identity_confirmed' && event.namespace === namespace && event.reference === id,
      // Another member may have been first with the name.
      isOurs: async ({ did, parent }) => (await shown(namespace, did)).parent === identityId(parent),
    });
    return isWaiting ? shown(namespace, accepted.did) : pending(namespace, body, accepted);
  }

  /**
   * A claim of a name or key that is already taken. With `confirm` the request is refused once the claim is rejected.
   */
  async function takenClaim(request: ClaimRequest): Promise<Identity> {
    const { namespace, body } = request;
    let accepted: TakenClaim | undefined;
    await confirm.message(request, async () => {
      accepted = await acceptance.acceptTakenClaim(namespace, body);
      return accepted.message;
    });
    assert(accepted !== undefined, 'a claim that was sent was accepted');
    return pending(namespace, body, accepted);
  }

  return async (request: ClaimRequest): Promise<Identity> => {
    try {
      return await claim(request);
    } catch (error) {
      if (request.isStrict || !isServiceError(error, 'name_taken')) throw error;
      return takenClaim(request);
    }
  };
}

/** An identity that the registry does not have yet. */
function pending(
  namespace: string,
  { name, type, description, profile }: IdentityRequest,
  { id, did, parent, created, message }: Omit<AcceptedIdentity, 'operation'>,
): Identity {
  return {
    id,
    did,
    type: type === 'org' ? 'org' : 'custom',
    parent: identityId(parent),
    namespace,
    name,
    ...(description !== undefined && { description }),
    ...(profile !== undefined && { profile }),
    messages: { claim: message?.header.id ?? null, verification: null, update: null },
    created,
    updated: created,
  };
}
