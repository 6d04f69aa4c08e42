import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { tryAbsence } from './absence.js';
import { tryCrowd } from './crowd.js';
import { tryFiles } from './files.js';
import { createVerdicts } from './history.js';

/** Long trials with real processes: `npm run trial -- crowd|absence|files`. The exit code is the number of failures. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    each: { type: 'string', default: '2500' },
    privates: { type: 'string', default: '3200' },
    count: { type: 'string', default: '20000' },
    'size-mib': { type: 'string', default: '5120' },
    interruptions: { type: 'string', default: '0' },
    // This file runs from `build/network/test/network/trials`.
    root: { type: 'string', default: fileURLToPath(new URL('../../../../../', import.meta.url)) },
  },
});
const print = (line: string): void => console.log(line);
const verdicts = createVerdicts(print);
const trials: Readonly<Record<string, () => Promise<void>>> = {
  crowd: () => tryCrowd(values.root, { each: Number(values.each), privates: Number(values.privates) }, verdicts, print),
  absence: () => tryAbsence(values.root, { count: Number(values.count) }, verdicts, print),
  files: () =>
    tryFiles(
      values.root,
      { sizeBytes: Number(values['size-mib']) * 1_048_576, interruptions: Number(values.interruptions) },
      verdicts,
      print,
    ),
};
for (const name of positionals.length > 0 ? positionals : Object.keys(trials)) {
  const trial = trials[name];
  if (trial === undefined) throw new Error(`There is no trial "${name}"; there are ${Object.keys(trials).join(', ')}.`);
  print(`# ${name}`);
  await trial();
}
process.exitCode = verdicts.failures();
