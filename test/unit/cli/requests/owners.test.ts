import { describe, expect, it } from 'vitest';
import { partyOfDid } from '../../../../src/cli/requests/owners.js';
import { aParty } from '../explain/an-inspection.js';

describe('the party of a DID', () => {
  const parties = [{ ...aParty('node'), organization: undefined }, aParty('alice'), aParty('bob')];

  it.each(['did:parley:org/bob', 'did:firefly:org/bob'])('is found by %s', (did) => {
    expect(partyOfDid(parties, did)?.name).toBe('bob');
  });

  it.each(['did:parley:org/carol', 'did:parley:org/', 'did:parley:node/bob', 'bob'])('is undefined for %s', (did) => {
    expect(partyOfDid(parties, did)).toBeUndefined();
  });
});
