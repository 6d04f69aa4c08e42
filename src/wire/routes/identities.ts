import {
  DidDocument,
  Identity,
  IdentityChange,
  IdentityRequest,
  ResolveRequest,
  Verifier,
} from '../identities/identity.js';
import { get, list, patch, post } from '../route.js';
import { Confirm, Flag } from '../scalar.js';

const withVerifiers = { fetchverifiers: Flag };

export const identityRoutes = {
  createIdentity: post('identities', {
    signs: true,
    grant: 'identities',
    summary: 'Register a custom identity of this member, or an organisation below it, with a key of its own',
    query: { confirm: Confirm },
    body: IdentityRequest,
    status: 202,
    reply: Identity,
  }),
  updateIdentity: patch('identities/{iid}', {
    grant: 'identities',
    summary: 'Update the description or profile of an identity of this member, for this namespace',
    query: { confirm: Confirm },
    body: IdentityChange,
    status: 202,
    reply: Identity,
  }),
  listIdentities: list('identities', {
    also: ['network/identities'],
    from: 'identities',
    summary: 'List identities: organisations, nodes and custom ones, newest first',
    query: withVerifiers,
    reply: Identity,
  }),
  getIdentity: get('identities/{iid}', {
    also: ['network/identities/{iid}'],
    summary: 'Get an identity by its id or DID',
    query: withVerifiers,
    reply: Identity,
  }),
  getIdentityDid: get('identities/{iid}/did', {
    also: ['network/diddocs/{iid}'],
    summary: 'Get the DID document of an identity, by its id or DID',
    reply: DidDocument,
  }),
  listIdentityVerifiers: list('identities/{iid}/verifiers', {
    like: 'verifiers',
    summary: 'List the keys of an identity',
    reply: Verifier,
  }),
  listOrganizations: list('network/organizations', {
    from: 'identities',
    only: { type: 'org' },
    summary: 'List the organisations of the network',
    query: withVerifiers,
    reply: Identity,
  }),
  getOrganization: get('network/organizations/{nameOrId}', {
    summary: 'Get an organisation by its name, id or DID',
    query: withVerifiers,
    reply: Identity,
  }),
  listNodes: list('network/nodes', {
    from: 'identities',
    only: { type: 'node' },
    summary: 'List the nodes of the network',
    query: withVerifiers,
    reply: Identity,
  }),
  getNode: get('network/nodes/{nameOrId}', {
    summary: 'Get a node by its name, id or DID',
    query: withVerifiers,
    reply: Identity,
  }),
  createOrganization: post('network/organizations', {
    signs: true,
    grant: 'identities',
    summary: 'Register an organisation below that of this node, or return its own if that is named',
    query: { confirm: Confirm },
    body: IdentityRequest,
    status: 202,
    reply: Identity,
  }),
  registerOrganization: post('network/organizations/self', {
    summary: 'Return the organisation of this node, which the operator registers',
    query: { confirm: Confirm },
    status: 200,
    statusUnder: { firefly: 202 },
    reply: Identity,
  }),
  registerNode: post('network/nodes/self', {
    summary: 'Return this node, which the operator registers',
    query: { confirm: Confirm },
    status: 200,
    statusUnder: { firefly: 202 },
    reply: Identity,
  }),
  listVerifiers: list('verifiers', {
    from: 'verifiers',
    summary: 'List the keys of all identities',
    reply: Verifier,
  }),
  getVerifier: get('verifiers/{hash}', {
    from: 'verifiers',
    by: { hash: 'hash' },
    summary: 'Get a verifier by its hash',
    reply: Verifier,
  }),
  resolveVerifier: post('verifiers/resolve', {
    summary: 'Find a key by its value, with the identity that it belongs to',
    body: ResolveRequest,
    status: 200,
    reply: Verifier,
  }),
} as const;
