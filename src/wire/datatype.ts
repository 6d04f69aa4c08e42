import { type Static, Type } from '@sinclair/typebox';
import { Hash, Raw, Time, Uuid } from './scalar.js';

/** A datatype (S §4.5). `created` is the time of its confirmation here, and absent before. */
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
