import { readFile } from 'node:fs/promises';
import { Type } from '@sinclair/typebox';
import { readShape } from '../supervisor/json-file.js';
import { packageFile } from './layout.js';

const Package = Type.Object({ version: Type.String() });

/** The version of this package. */
export async function ownVersion(): Promise<string> {
  const file = packageFile('package.json');
  return readShape(Package, await readFile(file, 'utf8'), file).version;
}
