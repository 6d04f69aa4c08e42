import { type Static, Type } from '@sinclair/typebox';

/** A member whose node is on another machine, as its request says. */
export const Guest = Type.Object(
  {
    organization: Type.String({ minLength: 1, maxLength: 64 }),
    node: Type.String({ minLength: 1, maxLength: 64 }),
    address: Type.String({ pattern: '^0x[0-9a-f]{40}$' }),
    endpoint: Type.String({ pattern: '^https://[^\\s@]{1,500}$' }),
    publicKeyHash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  },
  { additionalProperties: false },
);
export type Guest = Static<typeof Guest>;
