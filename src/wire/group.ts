import { type Static, Type } from '@sinclair/typebox';
import { Hash, nameRule, Time, Uuid } from './scalar.js';

/** A member of a group: an identity, and the node of its organisation that takes part for it. */
export const GroupMember = Type.Object({
  identity: Type.String({ description: 'DID' }),
  node: Type.String({ description: 'id of the node' }),
});
export type GroupMember = Static<typeof GroupMember>;

/** A group (S §6). Two nodes show the same one, but for `created`. */
export const Group = Type.Object({
  namespace: Type.String(),
  localNamespace: Type.String(),
  name: Type.String(),
  members: Type.Array(GroupMember),
  hash: Type.String({
    ...Hash,
    description: 'SHA-256 of the compact namespace, name and members: the same members under another name differ',
  }),
  created: Time,
});
export type Group = Static<typeof Group>;

/** The members of a group as a caller names them: DID, name or key, and a node by DID, name or id. */
export const GroupInput = Type.Object({
  name: Type.Optional(Type.String({ description: nameRule })),
  members: Type.Optional(
    Type.Array(
      Type.Object({
        identity: Type.Optional(Type.String({ description: 'DID, name or key of a party' })),
        node: Type.Optional(Type.String({ description: "DID, name or id of a node of it; default: the party's own" })),
      }),
    ),
  ),
  hash: Type.Optional(Type.String({ description: 'hash of a group that this node knows' })),
});
export type GroupInput = Static<typeof GroupInput>;

/** A group on its way to a peer, next to what is sent to it (S §9.2). */
export const EnvelopeGroup = Type.Object({
  namespace: Type.String(),
  name: Type.String(),
  members: Type.Array(Type.Object({ identity: Type.String(), node: Uuid })),
});
export type EnvelopeGroup = Static<typeof EnvelopeGroup>;
