import { type Static, Type } from '@sinclair/typebox';

const Address = Type.String({ pattern: '^0x[0-9a-f]{40}$' });

/** The contracts of a network: the schema of `contracts.json`. */
export const ContractsFile = Type.Object({
  chainId: Type.Integer(),
  genesisHash: Type.String({ pattern: '^0x[0-9a-f]{64}$' }),
  network: Type.Object({ address: Address, block: Type.Integer() }),
  /** The contract of each token connector. Networks of earlier versions have none until the next start. */
  tokens: Type.Optional(
    Type.Array(Type.Object({ name: Type.String(), address: Address, block: Type.Optional(Type.Integer()) })),
  ),
});
export type Contracts = Static<typeof ContractsFile>;
