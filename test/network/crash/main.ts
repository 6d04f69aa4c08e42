import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { formatFindings } from '../../../src/bench/check.js';
import { runCrashLoop } from './crash-loop.js';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    rate: { type: 'string', default: '150' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    // This file runs from `build/network/test/network/crash`.
    root: { type: 'string', default: fileURLToPath(new URL('../../../../../', import.meta.url)) },
  },
});
const report = await runCrashLoop({
  root: values.root,
  kills: Number(values.kills),
  ratePerSecond: Number(values.rate),
  seed: Number(values.seed),
  ...(values.only !== undefined && { only: values.only.split(',') }),
  onProgress: (sentence) => console.log(sentence),
});
console.log(formatFindings(report.findings));
const { kills, accepted, unanswered, healedMs } = report;
console.log(
  `${kills} kills, ${accepted} messages accepted, ${unanswered} unanswered, healed ${healedMs} ms after the last`,
);
if (report.evidence !== undefined) console.log(`the files are kept in ${report.evidence}`);
process.exitCode = report.exitCode;
