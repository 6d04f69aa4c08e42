import { type Static, Type } from '@sinclair/typebox';
import { Hash, type JsonText, nameRule, oneOf, Raw, Time, Uuid } from '../scalar.js';

/** A datatype (docs/api.md §11.4). `created` is the time of its confirmation on this node, absent before. */
export const Datatype = Type.Object({
  id: Uuid,
  message: Type.Optional(Uuid),
  validator: Type.String({ description: 'json' }),
  namespace: Type.String(),
  name: Type.String(),
  version: Type.String(),
  hash: Hash,
  created: Type.Optional(Time),
  value: Raw,
});
export type Datatype = Static<typeof Datatype>;

/** The definition of a datatype as it is broadcast, with fields in this order (docs/api.md §11.4). */
export const DatatypeDefinition = Type.Object({
  id: Uuid,
  validator: oneOf(['json']),
  namespace: Type.String(),
  name: Type.String(),
  version: Type.String(),
  hash: Hash,
  value: Raw,
});
export type DatatypeDefinition = Static<typeof DatatypeDefinition>;

/** The request that defines a datatype. */
export const DatatypeRequest = Type.Object({
  name: Type.String({ description: `what it is called in the namespace: ${nameRule}` }),
  version: Type.String({ description: `dotted text, ${nameRule}; a new schema is a new version` }),
  value: Type.Unsafe<JsonText>({ ...Raw, description: 'JSON schema of draft-07, 2019-09 or 2020-12, an object' }),
  validator: Type.Optional(Type.String({ description: 'json' })),
  author: Type.Optional(Type.String({ description: 'who defines it: DID, organisation name or key of this node' })),
  key: Type.Optional(Type.String({ description: 'signing key of this node' })),
});
export type DatatypeRequest = Static<typeof DatatypeRequest>;

export const ValidateRequest = Type.Object({ value: Type.Optional(Raw) });
export type ValidateRequest = Static<typeof ValidateRequest>;

/** The result of validating a value against a datatype. */
export const Validation = Type.Object({
  valid: Type.Boolean(),
  errors: Type.Array(
    Type.Object({ path: Type.String({ description: 'JSON pointer into the value' }), message: Type.String() }),
  ),
});
export type Validation = Static<typeof Validation>;
