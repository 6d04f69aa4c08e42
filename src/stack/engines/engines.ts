import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { StackSettings } from '../definition/definition.js';
import { StackError } from '../error.js';
import type { Place } from '../layout.js';

const packageName = '@foundry-rs/anvil';
const numbersByValue = new Intl.Collator('en', { numeric: true });

/**
 * Finds the program of the chain's engine: Anvil on PATH, or as its npm package in a folder below `$PARLEY_ENGINES`.
 * Undefined for the built-in engine.
 *
 * @throws StackError ENGINE_MISSING with how to get it
 */
export async function findEngine(
  { chain: { engine } }: Pick<StackSettings, 'chain'>,
  { environment }: Pick<Place, 'environment'>,
): Promise<string | undefined> {
  if (engine === 'hardhat') return undefined;
  const { PATH = '', HOME = '', XDG_CACHE_HOME = join(HOME, '.cache') } = environment;
  const engines = environment['PARLEY_ENGINES'] ?? join(XDG_CACHE_HOME, 'parley', 'engines');
  const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
  const inPackage = join('node_modules', `${packageName}-${platform}`, 'bin', 'anvil');
  const folders = (await readdir(engines).catch(() => [])).filter((name) => name.startsWith('anvil'));
  const newestFirst = folders.sort((left, right) => numbersByValue.compare(right, left));
  const places = [
    ...PATH.split(delimiter).map((directory) => join(directory, 'anvil')),
    ...newestFirst.map((name) => join(engines, name, inPackage)),
  ];
  for (const path of places) {
    if (await isProgram(path)) return path;
  }
  throw new StackError('ENGINE_MISSING', 'chain.provider is anvil, but Anvil is not on PATH.', {
    hint: `Get it: npm install --ignore-scripts --prefix ${join(engines, 'anvil')} ${packageName}`,
  });
}

async function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
