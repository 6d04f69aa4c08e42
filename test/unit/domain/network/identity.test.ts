import { expect, test } from 'vitest';
import {
  canonicalDid,
  customDid,
  identityId,
  nodeDid,
  organizationDid,
} from '../../../../src/domain/network/identity.js';

test('the id of an identity follows from its DID', () => {
  expect(identityId(nodeDid('alice'))).toBe('77e9474b-8692-86e7-89a6-23438b369acf');
  expect(identityId('did:parley:node/bob')).toBe('0ab88d48-3e8c-8eb5-bb6f-d0228aba1f29');
});

test("FireFly's spelling of a DID is read as the same name", () => {
  expect(canonicalDid('did:firefly:org/alice')).toBe(organizationDid('alice'));
  expect(canonicalDid('did:firefly:alice')).toBe(customDid('alice'));
  expect(canonicalDid('alice')).toBe('alice');
});
