import type { identityRoutes } from '../../../src/wire/routes/identities.js';
import type { Examples, Scene } from './example.js';

const ofAlice = ({ alice }: Scene) => ({ iid: alice.id });
const bobs = { nameOrId: 'bob' };
const alicesNode = { nameOrId: 'did:parley:node/alice-node' };

let names = 0;
/** Names must be unique permanently. */
function freshName(): string {
  names += 1;
  return `desk-${names}`;
}

export const identityExamples: Examples<typeof identityRoutes> = {
  createIdentity: {
    call: ({ client }) => client.createIdentity({ body: { name: freshName(), description: 'A desk' } }),
    shows: () => ({ type: 'custom', namespace: 'default', description: 'A desk' }),
    body: () => `{"name":"${freshName()}"}`,
  },
  updateIdentity: {
    call: ({ client, desk: { id } }) => client.updateIdentity({ path: { iid: id }, body: { description: 'A desk' } }),
    shows: ({ desk: { did } }) => ({ did, type: 'custom' }),
    parameters: ({ desk: { id } }) => ({ iid: id }),
    body: '{"profile":{"site":"example.org"}}',
  },
  listIdentities: {
    call: ({ client, alice }) =>
      client.listIdentities({ query: { type: 'node', parent: alice.id, fetchverifiers: true } }),
    shows: ({ alice }) => [{ name: 'alice-node', parent: alice.id, verifiers: [{ type: 'dx_peer_id' }] }],
  },
  getIdentity: {
    call: ({ client, alice }) => client.getIdentity({ path: { iid: alice.did } }),
    shows: ({ alice }) => alice,
    parameters: ofAlice,
  },
  getIdentityDid: {
    call: (scene) => scene.client.getIdentityDid({ path: ofAlice(scene) }),
    shows: ({ alice, verifier }) => ({
      id: alice.did,
      verificationMethod: [{ id: verifier.hash, controller: alice.did, blockchainAccountId: verifier.value }],
    }),
    parameters: ofAlice,
  },
  listIdentityVerifiers: {
    call: (scene) => scene.client.listIdentityVerifiers({ path: ofAlice(scene) }),
    shows: ({ verifier }) => [verifier],
    parameters: ofAlice,
  },
  listOrganizations: {
    call: ({ client }) => client.listOrganizations({ query: { sort: 'name' } }),
    shows: () => [{ name: 'alice', type: 'org' }, { name: 'bob' }],
  },
  getOrganization: {
    call: ({ client }) => client.getOrganization({ path: bobs }),
    shows: () => ({ did: 'did:parley:org/bob', type: 'org' }),
    parameters: () => bobs,
  },
  listNodes: {
    call: ({ client, alice }) => client.listNodes({ query: { parent: `!${alice.id}` } }),
    shows: () => [{ name: 'bob-node', type: 'node' }],
  },
  getNode: {
    call: ({ client }) => client.getNode({ path: alicesNode }),
    shows: ({ alice }) => ({ name: 'alice-node', parent: alice.id }),
    parameters: () => alicesNode,
  },
  createOrganization: {
    call: ({ client }) => client.createOrganization({ body: { name: 'alice' } }),
    shows: ({ alice }) => alice,
    body: '{"name":"alice"}',
  },
  registerOrganization: {
    call: ({ client }) => client.registerOrganization(),
    shows: ({ alice }) => alice,
    body: '{}',
  },
  registerNode: {
    call: ({ client }) => client.registerNode(),
    shows: () => ({ did: 'did:parley:node/alice-node' }),
    body: '{}',
  },
  listVerifiers: {
    call: ({ client, verifier }) => client.listVerifiers({ query: { value: verifier.value } }),
    shows: ({ verifier }) => [verifier],
  },
  getVerifier: {
    call: ({ client, verifier: { hash } }) => client.getVerifier({ path: { hash } }),
    shows: ({ verifier }) => verifier,
    parameters: ({ verifier: { hash } }) => ({ hash }),
  },
  resolveVerifier: {
    call: ({ client, verifier: { type, value } }) => client.resolveVerifier({ body: { type, value } }),
    shows: ({ verifier }) => verifier,
    body: `{"value":"0x${'1'.padStart(40, '0')}"}`,
  },
};
