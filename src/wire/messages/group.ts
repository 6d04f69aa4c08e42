import { type Static, Type } from '@sinclair/typebox';
import { requiring } from '../json/required-mark.js';
import { Hash, nameRule, Time, Uuid } from '../scalar.js';

/** A member of a group: an identity, and the node of its organisation that receives for it. */
export const GroupMember = Type.Object({
  identity: Type.String({ description: 'DID' }),
  node: Type.String({ description: 'id of the node' }),
});
export type GroupMember = Static<typeof GroupMember>;

/** A group (docs/protocol.md §6), the same on all nodes except for `created`. */
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
  message: Type.Optional(Type.String({ ...Uuid, description: 'the message with which it arrived at this node' })),
});
export type Group = Static<typeof Group>;

/** The members of a group as a caller gives them: identities by DID, name or key, nodes by DID, name or id. */
export const GroupInput = Type.Object({
  name: Type.Optional(Type.String({ description: nameRule })),
  members: Type.Optional(
    Type.Array(
      requiring(
        ['identity'],
        Type.Object({
          identity: Type.Optional(Type.String({ description: 'DID, name or key of a party' })),
          node: Type.Optional(
            Type.String({ description: "DID, name or id of a node of it; default: the party's own" }),
          ),
        }),
      ),
    ),
  ),
  hash: Type.Optional(Type.String({ description: 'hash of a group that this node knows' })),
});
export type GroupInput = Static<typeof GroupInput>;

/** The group that is sent to a peer with an envelope (docs/protocol.md §11.2). */
export const EnvelopeGroup = Type.Object({
  namespace: Type.String(),
  name: Type.String(),
  members: Type.Array(Type.Object({ identity: Type.String(), node: Uuid })),
});
export type EnvelopeGroup = Static<typeof EnvelopeGroup>;
