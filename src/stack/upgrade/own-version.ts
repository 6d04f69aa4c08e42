import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Type } from '@sinclair/typebox';
import { databaseForm } from '../../ports/database-form.js';
import { controlProtocol } from '../../supervisor/control/view.js';
import { recordVersion } from '../../wire/messages/batch-record.js';
import { readShape } from '../../supervisor/files/json-file.js';
import { packageFile } from '../layout.js';
import { readContract } from '../tasks/artifacts.js';

const Package = Type.Object({ version: Type.String() });

/** The version of this package. */
export async function ownVersion(): Promise<string> {
  const file = packageFile('package.json');
  return readShape(Package, await readFile(file, 'utf8'), file).version;
}

/** The versions of everything that programs of different versions share. */
export interface Compatibility {
  /** The version of payloads and envelopes (docs/protocol.md §2.3). */
  readonly protocol: number;
  readonly control: number;
  readonly database: number;
  /** SHA-256 of the code of each contract that it deploys. */
  readonly contracts: Readonly<Record<string, string>>;
}

/** The versions by which this program can or cannot work with the state of another. */
export async function compatibility(): Promise<Compatibility> {
  const contracts = await Promise.all(
    ['Network', 'TokenPools', 'TokenFactory'].map(async (name) => {
      const { bytecode } = await readContract(name);
      return [name, createHash('sha256').update(bytecode).digest('hex')] as const;
    }),
  );
  return {
    protocol: recordVersion,
    control: controlProtocol,
    database: databaseForm,
    contracts: Object.fromEntries(contracts),
  };
}
