import { type Static, Type } from '@sinclair/typebox';

/** A party that has joined since the other nodes of its stack started. */
const LaterParty = Type.Object({
  name: Type.String(),
  /** The address of its node. */
  url: Type.String(),
  /** The ports of its node. */
  ports: Type.Array(Type.Integer({ minimum: 1, maximum: 65_535 })),
});
export type LaterParty = Static<typeof LaterParty>;

/** The file `run/later/parties.json`, which the nodes of a stack read. */
export const LaterPartiesFile = Type.Object({ version: Type.Literal(1), parties: Type.Array(LaterParty) });
