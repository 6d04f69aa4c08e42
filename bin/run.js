#!/usr/bin/env node
// The command line, `stack`; also installed as `parley`, since other tools may be called stack.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { load } from './load.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`✗ Node.js 20.19 or newer is needed; this is ${process.versions.node}.\n`);
  process.exitCode = 9;
} else if (!existsSync(new URL('../dist/programs/cli.cjs', import.meta.url))) {
  process.stderr.write('✗ The programs are not built. Run: npm run build\n');
  process.exitCode = 9;
} else {
  const args = process.argv.slice(2);
  const { main, programName, commands } = load('cli');
  await main(args, { program: programName(process.argv[1]), root, commands });
}
