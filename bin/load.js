// Loads a program, which is one file of dist/programs: its stack traces name the sources, and where Node can keep what
// it has compiled, it does.
import module from 'node:module';
import { join } from 'node:path';

/** Resolves with what the program exports. Node reads the maps with the program: a tenth of the start of a command. */
export function load(name, { showsTraces = true } = {}) {
  process.setSourceMapsEnabled(showsTraces);
  // Not in the system's temporary folder, where anybody could have put something for us to run.
  const { HOME, XDG_CACHE_HOME: caches = HOME && join(HOME, '.cache') } = process.env;
  if (caches) module.enableCompileCache?.(join(caches, 'parley', 'compiled'));
  return import(new URL(`../dist/programs/${name}.js`, import.meta.url).href);
}
