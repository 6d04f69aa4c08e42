import { type Static, Type } from '@sinclair/typebox';
import { Hash, type JsonText, nullable, oneOf, Raw, Time, Uuid } from '../scalar.js';

export const VerifierType = oneOf(['ethereum_address', 'dx_peer_id']);

/** A key or address by which others verify an identity (docs/api.md §21.2). */
export const Verifier = Type.Object({
  hash: Hash,
  identity: Uuid,
  namespace: Type.String(),
  type: VerifierType,
  value: Type.String({ description: 'an address, or the public-key hash of a node' }),
  created: Time,
});
export type Verifier = Static<typeof Verifier>;

/** An organisation, a node or a custom identity (docs/api.md §21.2). */
export const Identity = Type.Object({
  id: Uuid,
  did: Type.String(),
  type: oneOf(['org', 'node', 'custom']),
  parent: Type.Optional(Uuid),
  namespace: Type.String(),
  name: Type.String(),
  description: Type.Optional(Type.String()),
  profile: Type.Optional(Raw),
  messages: Type.Object({ claim: nullable(Uuid), verification: nullable(Uuid), update: nullable(Uuid) }),
  created: Time,
  updated: Time,
  verifiers: Type.Optional(Type.Array(Type.Object({ type: VerifierType, value: Type.String() }))),
});
export type Identity = Static<typeof Identity>;

/** A request to resolve the owner of a key or address. */
export const ResolveRequest = Type.Object({
  type: Type.Optional(Type.String({ description: 'ethereum_address or dx_peer_id' })),
  value: Type.String(),
});
export type ResolveRequest = Static<typeof ResolveRequest>;

/** A DID document, with the member names of the W3C and, in a network with `profile: firefly`, FireFly's. */
export const DidDocument = Type.Object({
  '@context': Type.Array(Type.String()),
  id: Type.String(),
  authentication: Type.Array(Type.String()),
  verificationMethod: Type.Array(
    Type.Object({
      id: Type.String(),
      type: Type.String(),
      controller: Type.String(),
      blockchainAccountId: Type.Optional(Type.String()),
      blockchainAcountId: Type.Optional(Type.String()),
      dataExchangePeerID: Type.Optional(Type.String()),
    }),
  ),
});
export type DidDocument = Static<typeof DidDocument>;

/**
 * An identity's description and profile as its owner broadcasts them in a definition (docs/protocol.md §9.6); absent
 * members stay unchanged.
 */
export const IdentityUpdate = Type.Object({
  did: Type.String(),
  namespace: Type.String(),
  description: Type.Optional(Type.String()),
  profile: Type.Optional(Raw),
});
export type IdentityUpdate = Static<typeof IdentityUpdate>;

const about = {
  // An empty text removes the description.
  description: Type.Optional(Type.String({ minLength: 0 })),
  profile: Type.Optional(Type.Unsafe<JsonText>({ ...Raw, description: 'a JSON object' })),
};

/** A request to register a custom identity, or an organisation below the node's own (docs/api.md §21.2). */
export const IdentityRequest = Type.Object({
  name: Type.String({ description: 'its DID is did:parley:<name>; of an organisation did:parley:org/<name>' }),
  type: Type.Optional(Type.String({ description: 'custom (default), or org with a parent' })),
  parent: Type.Optional(Type.String({ description: "id, DID or name of this node's organisation" })),
  key: Type.Optional(
    Type.String({ description: 'an address whose key this node holds; by default the node creates a key' }),
  ),
  ...about,
  idempotencyKey: Type.Optional(Type.String({ description: 'at most 256 characters; a second use is 409' })),
});
export type IdentityRequest = Static<typeof IdentityRequest>;

export const IdentityChange = Type.Object(about);
export type IdentityChange = Static<typeof IdentityChange>;
