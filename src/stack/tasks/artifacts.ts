import { readFile } from 'node:fs/promises';
import { type Static, Type } from '@sinclair/typebox';
import { readShape } from '../../supervisor/files/json-file.js';
import type { ConnectorName } from '../../wire/tokens/connector.js';
import { packageFile } from '../layout.js';

const Hex = Type.String({ pattern: '^0x[0-9a-f]*$' });
const Artifact = Type.Object({ abi: Type.Array(Type.Unknown()), bytecode: Hex, deployedBytecode: Hex });
export type Artifact = Static<typeof Artifact>;

/** The contract of each token connector. */
export const tokenContracts: Readonly<Record<ConnectorName, string>> = {
  erc1155: 'TokenPools',
  erc20_erc721: 'TokenFactory',
};

export async function readContract(name: string): Promise<Artifact> {
  const path = `contracts/artifacts/${name}.json`;
  return readShape(Artifact, await readFile(packageFile(path), 'utf8'), path);
}
