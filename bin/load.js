// Loads a program of dist/programs, with its compiled code from the cache.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { constants, Script } from 'node:vm';
import { cacheCompiled, cacheFileOf, readCompiled } from './compiled.js';
import { showSources } from './traces.js';

const folder = fileURLToPath(new URL('../dist/programs', import.meta.url));
const modules = new Map();

/** Loads a program and returns its exports. */
export function load(name) {
  showSources(folder);
  return requireOwn(join(folder, `${name}.cjs`));
}

/**
 * Loads a long-running program, and lets V8 optimise later. Such a program has many warm functions and few hot ones,
 * and early optimisation took a quarter of a node's processor time even minutes after its start, more than it saved.
 * The flag is set before anything is loaded, because V8 rejects code that was compiled under other flags.
 */
export function loadService(name) {
  // The bytes of bytecode that a function runs before it is optimised; the default is a quarter of it. The V8 of Node
  // 22 and later has no such flag, and would print an error.
  if (Number(process.versions.node.split('.')[0]) < 22) setFlagsFromString('--interrupt-budget=250000');
  return load(name);
}

/** Works as `require` for the files of the folder, which cannot use cached code. */
function requireOwn(path) {
  const known = modules.get(path);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  modules.set(path, module);
  const requireOther = createRequire(path);
  const requireAny = (name) => {
    const other = resolve(folder, name);
    return dirname(other) === folder && other.endsWith('.cjs') ? requireOwn(other) : requireOther(name);
  };
  const run = compile(path);
  run(module.exports, Object.assign(requireAny, requireOther), module, path, folder);
  return module.exports;
}

const head = '(function (exports, require, module, __filename, __dirname) { ';

function compile(path) {
  const bytes = readFileSync(path);
  const cacheFile = cacheFileOf(path, bytes);
  const cachedData = readCompiled(cacheFile);
  // The programs are ASCII, so V8 stores a byte per character, and nothing is decoded.
  const script = new Script(`${head}${bytes.latin1Slice()}\n})`, {
    filename: path,
    columnOffset: -head.length,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (cachedData === undefined || script.cachedDataRejected) cacheCompiled(cacheFile, script);
  return script.runInThisContext();
}
