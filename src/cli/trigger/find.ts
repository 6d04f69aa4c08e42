import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { packageFile, placeFrom } from '../../stack/layout.js';
import { locateStack } from '../../stack/places/locate.js';
import { nearestHint } from '../../wire/lists/query.js';
import { CliError } from '../errors/exit.js';
import { chooseStack, urlOf, type CommandContext, type TargetFlags } from '../requests/target.js';

export interface TriggerFile {
  readonly name: string;
  readonly from: 'package' | 'stack' | 'here';
  readonly path: string;
}

/**
 * Finds all triggers, sorted by name. Of two with one name, the working directory takes precedence over the directory
 * of `stack.yaml`, and that over the package.
 */
export async function findTriggers(flags: TargetFlags, context: CommandContext): Promise<readonly TriggerFile[]> {
  const folders = [
    ['package', packageFile('triggers')],
    ...(flags.url === undefined ? [['stack', await besideStack(flags, context)] as const] : []),
    ['here', resolve('triggers')],
  ] as const;
  const found = new Map<string, TriggerFile>();
  for (const [from, folder] of folders) {
    if (folder === undefined) continue;
    for (const file of await yamlFiles(folder)) {
      const name = file.replace(/\.ya?ml$/, '');
      found.set(name, { name, from, path: join(folder, file) });
    }
  }
  return [...found.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Finds a trigger by its name or path. @throws CliError NOT_FOUND for an unknown name */
export async function findTrigger(name: string, flags: TargetFlags, context: CommandContext): Promise<TriggerFile> {
  if (/\.ya?ml$/.test(name)) return { name: basename(name).replace(/\.ya?ml$/, ''), from: 'here', path: resolve(name) };
  const all = await findTriggers(flags, context);
  const found = all.find((each) => each.name === name);
  if (found !== undefined) return found;
  const names = all.map((each) => each.name);
  throw new CliError('NOT_FOUND', `No trigger named "${name}"${nearestHint(name, names)}`);
}

async function besideStack(flags: TargetFlags, context: CommandContext): Promise<string | undefined> {
  if (urlOf(flags, context.environment) !== undefined) return undefined;
  try {
    const name = await chooseStack({ stack: flags.stack }, context);
    return join(dirname((await locateStack(placeFrom(context.environment), name)).definitionFile), 'triggers');
  } catch (error) {
    // The triggers of the package need no stack.
    if (error instanceof Error && error.name === 'StackError') return undefined;
    throw error;
  }
}

async function yamlFiles(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => /\.ya?ml$/.test(name));
  } catch (error) {
    // ENOTDIR: a file has the name of the directory.
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code))) return [];
    throw error;
  }
}
