import { type Static, Type } from '@sinclair/typebox';

/** Where the contracts of a network are: the schema of `contracts.json`. */
export const ContractsFile = Type.Object({
  chainId: Type.Integer(),
  genesisHash: Type.String({ pattern: '^0x[0-9a-f]{64}$' }),
  network: Type.Object({ address: Type.String({ pattern: '^0x[0-9a-f]{40}$' }), block: Type.Integer() }),
});
export type Contracts = Static<typeof ContractsFile>;
