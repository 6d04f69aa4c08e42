import { readFile } from 'node:fs/promises';
import { Value } from '@sinclair/typebox/value';
import { isErrno } from '../../supervisor/files/json-file.js';
import type { Place } from '../layout.js';
import { UserDefaults } from './user-defaults.js';
import { InvalidFile, readYaml, shapeFindings, type YamlText } from './yaml-text.js';

/**
 * Reads the user's defaults; empty if there is no file.
 *
 * @throws StackError STACK_FILE_INVALID with all problems in `details.problems`
 */
export async function readUserDefaults({ configFile }: Pick<Place, 'configFile'>): Promise<UserDefaults> {
  const text = await readUserText(configFile);
  return text === undefined ? {} : openUserFile(text, configFile).defaults;
}

/** The text of the file; undefined if it does not exist. @throws StackError STACK_FILE_INVALID for a directory */
export async function readUserText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return undefined;
    if (!isErrno(error, 'EISDIR')) throw error;
    throw new InvalidFile(path, [{ line: 1, column: 1, message: 'It must be a file, not a directory.' }]);
  }
}

/** Parses the defaults of a `config.yaml`, which may be empty. @throws StackError STACK_FILE_INVALID */
export function openUserFile(text: string, path: string): { readonly defaults: UserDefaults; readonly yaml: YamlText } {
  const yaml = readYaml(text, path);
  const value = yaml.value ?? {};
  const findings = shapeFindings(UserDefaults, value, ofStack);
  if (findings.length > 0 || !Value.Check(UserDefaults, value)) throw new InvalidFile(path, yaml.problemsOf(findings));
  return { defaults: value, yaml };
}

const stackKeys = ['apiVersion', 'name', 'parties', 'namespaces', 'chain', 'store', 'database', 'tokens', 'keys'];

/** The message about keys that belong in a stack's definition. */
function ofStack(path: string): string | undefined {
  const key = path.slice(1);
  return [...stackKeys, 'accounts', 'auth', 'bind', 'ports', 'runtime'].includes(key)
    ? `The key ${key} belongs in the stack.yaml of a stack.`
    : undefined;
}
