import { describe, expect, test } from 'vitest';
import { readNetworkRules, recordedLimits } from '../../../../src/domain/network/network-rules.js';
import { canonicalDid, methodOf, organizationDid } from '../../../../src/domain/network/identity.js';
import { profiles, profileRulesOf, profileRulesOfAuthor } from '../../../../src/domain/network/profile.js';

describe('The profile of a network', () => {
  test('is recorded with its limits, and an unknown one is refused', () => {
    const read = (profile?: unknown) => readNetworkRules(JSON.stringify({ ...recordedLimits, profile }));
    expect(read().rules?.profile).toBeUndefined();
    for (const profile of profiles) expect(read(profile).rules?.profile).toBe(profile);
    for (const profile of ['waterfly', 5, null]) expect(read(profile).problem).toContain('profile');
  });

  test('determines every difference, and without a profile there is none', () => {
    const [own, theirs] = [profileRulesOf(undefined), profileRulesOf('firefly')];
    for (const name of Object.keys(own) as (keyof typeof own)[]) expect(theirs[name]).not.toBe(own[name]);
  });

  test('is recognised by the DIDs of its authors', () => {
    for (const profile of [undefined, ...profiles]) {
      const profileRules = profileRulesOf(profile);
      const did = organizationDid('acme', profileRules.didMethod);
      expect(profileRulesOfAuthor(did)).toEqual(profileRules);
      expect(methodOf(did)).toBe(profileRules.didMethod);
      for (const method of ['parley', 'firefly'])
        expect(canonicalDid(`did:${method}:org/acme`, methodOf(did))).toBe(did);
    }
  });
});
