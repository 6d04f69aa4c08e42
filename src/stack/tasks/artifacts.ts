import { readFile } from 'node:fs/promises';
import { type Static, Type } from '@sinclair/typebox';
import { readShape } from '../../supervisor/files/json-file.js';
import { packageFile } from '../layout.js';

const Hex = Type.String({ pattern: '^0x[0-9a-f]*$' });
const Artifact = Type.Object({ abi: Type.Array(Type.Unknown()), bytecode: Hex, deployedBytecode: Hex });
export type Artifact = Static<typeof Artifact>;

/** The contract of each token connector. */
const tokenContracts: Readonly<Record<string, string>> = { erc1155: 'TokenPools', erc20_erc721: 'TokenFactory' };

/** The name of the contract of a token connector. */
export function contractOf(connector: string): string {
  const name = tokenContracts[connector];
  if (name === undefined) throw new Error(`There is no token connector ${connector}.`);
  return name;
}

/** Reads a compiled contract. */
export async function readContract(name: string): Promise<Artifact> {
  const path = `contracts/artifacts/${name}.json`;
  return readShape(Artifact, await readFile(packageFile(path), 'utf8'), path);
}
