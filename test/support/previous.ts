import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findEngine } from './engines.js';

/** The commit of the version before this one, which `.ci/engines previous` packs and installs. */
const commit = readFileSync(fileURLToPath(new URL('../../.ci/previous-version', import.meta.url)), 'utf8').trim();

/** The command line of the version before this one; undefined if it is not installed. */
export const previousProgram = findEngine(
  'no program of PATH',
  `previous-${commit}/node_modules/@parley-stack/parley/bin/run.js`,
);
