import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The path of a file that a module imports, in the code that the compiler has written. */
const importedPath = /\b(?:from|import)[\s(]*'(\.[^']+)'/g;

/** Reads the modules that a module imports, directly or not; returns the URLs of the importers of each. */
export function readImporters(entry: string): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>([[entry, []]]);
  // A map is iterated together with what is added meanwhile.
  for (const importer of importers.keys()) {
    const text = readFileSync(fileURLToPath(importer), 'utf8');
    for (const [, path = ''] of text.matchAll(importedPath)) {
      const imported = new URL(path, importer).href;
      const known = importers.get(imported);
      if (known === undefined) importers.set(imported, [importer]);
      else known.push(importer);
    }
  }
  return importers;
}

/** Returns these modules with all that import one of them, directly or not. */
export function withImporters(
  modules: readonly string[],
  importers: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const found = new Set(modules);
  for (const module of found) {
    for (const importer of importers.get(module) ?? []) found.add(importer);
  }
  return found;
}
