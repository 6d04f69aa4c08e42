import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { isErrno, readJsonFile } from '../../supervisor/files/json-file.js';
import { exists, namesIn } from '../../supervisor/machine/directory.js';
import { readStackFile } from '../definition/stack-file.js';
import { StackError } from '../error.js';
import { layoutOf, type Place, stackDirectory } from '../layout.js';
import { locatedAs } from './locate.js';
import type { Registry, RegistryEntry } from './registry.js';

const Versions = Type.Object({ template: Type.String() });

/**
 * The entry for a directory of a stack that is not in the registry, because its creator was killed before it wrote the
 * registry, or because the registry was deleted. Undefined if the directory is missing or empty.
 *
 * @throws StackError NAME_EXISTS for a directory without a stack, STATE_INVALID for a copy of a listed stack
 */
export async function unlistedEntry(
  place: Place,
  name: string,
  registry: Registry,
): Promise<RegistryEntry | undefined> {
  const directory = stackDirectory(place, name);
  if ((await namesIn(directory)).length === 0) return undefined;
  const layout = layoutOf(directory, place);
  if (!(await exists(layout.versions))) {
    throw new StackError('NAME_EXISTS', `${directory} already exists, but has no stack.`, {
      hint: 'Move it away or delete it, or choose another name.',
      details: { name, dir: directory },
    });
  }
  const { template } = (await readJsonFile(layout.versions, Versions)) ?? { template: 'default@1' };
  const project = await linkedProject(layout.projectLink);
  const entry: RegistryEntry = {
    directory,
    ...(project === undefined ? {} : { project }),
    template,
    createdAt: new Date().toISOString(),
  };
  const original = await originalOf(place, entry, registry);
  if (original === undefined) return entry;
  throw new StackError('STATE_INVALID', `${directory} is a copy of the stack ${original}: both have the same keys.`, {
    hint: `Move or delete it. For a second network: stack snapshot restore -s ${original} NAME --as ${name}`,
    details: { name: original, dir: directory },
  });
}

/** The directory of the project that defines the stack; undefined if the stack has its own definition. */
async function linkedProject(link: string): Promise<string | undefined> {
  try {
    return dirname((await readFile(link, 'utf8')).trim());
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/**
 * The listed stack of the same network: it has a node with the same key, and the same mark. The two would sign with the
 * same nonces, and a start of the copy would end the processes of the original, which the copied state names.
 */
async function originalOf(place: Place, entry: RegistryEntry, registry: Registry): Promise<string | undefined> {
  const own = await identityOf(place, entry);
  for (const [name, listed] of Object.entries(registry)) {
    const { mark, keys } = await identityOf(place, listed);
    if (mark === own.mark && keys.some((key) => own.keys.includes(key))) return name;
  }
  return undefined;
}

async function identityOf(place: Place, entry: RegistryEntry) {
  const { layout, definitionFile } = locatedAs(place, '', entry);
  // A definition that cannot be read is reported by commands that use it.
  const settings = await readStackFile(definitionFile).catch(() => undefined);
  const parties = await namesIn(layout.keys);
  const keys = await Promise.all(
    parties.map((party) => readFile(join(layout.keys, party, 'node.key'), 'utf8').catch(() => '')),
  );
  return { mark: settings?.copy ?? '', keys: keys.filter((key) => key !== '') };
}
