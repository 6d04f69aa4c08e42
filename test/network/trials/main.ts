import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { tryAbsence } from './absence.js';
import { tryCrowd } from './crowd.js';
import { tryDurable } from './durable.js';
import { tryEphemeral } from './ephemeral.js';
import { tryFiles } from './files.js';
import { createVerdicts } from './history.js';
import { tryHostile } from './hostile.js';
import { tryMany } from './many.js';
import { tryNeedle } from './needle.js';
import { tryStalled } from './stalled.js';
import { tryTokens } from './tokens.js';
import { tryWebhooks } from './webhooks.js';

/** Long trials with real processes: `npm run trial -- NAME`. The exit code is the number of failures. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    each: { type: 'string', default: '2500' },
    privates: { type: 'string', default: '3200' },
    count: { type: 'string', default: '20000' },
    'size-mib': { type: 'string', default: '5120' },
    interruptions: { type: 'string', default: '0' },
    events: { type: 'string', default: '200000' },
    restarts: { type: 'string', default: '20' },
    times: { type: 'string', default: '500' },
    subscriptions: { type: 'string', default: '500' },
    messages: { type: 'string', default: '200' },
    moves: { type: 'string', default: '1000' },
    only: { type: 'string', default: '' },
    'down-seconds': { type: 'string', default: '60' },
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
  durable: () => tryDurable(values.root, { restarts: Number(values.restarts) }, verdicts, print),
  ephemeral: () => tryEphemeral(values.root, { times: Number(values.times) }, verdicts, print),
  needle: () => tryNeedle(values.root, { count: Number(values.events) }, verdicts, print),
  stalled: () => tryStalled(values.root, { count: Number(values.events) }, verdicts, print),
  many: () =>
    tryMany(
      values.root,
      { subscriptions: Number(values.subscriptions), messages: Number(values.messages) },
      verdicts,
      print,
    ),
  tokens: () => tryTokens(values.root, { count: Number(values.moves) }, verdicts, print),
  hostile: () => tryHostile(values.root, { only: values.only }, verdicts, print),
  webhooks: () => tryWebhooks(values.root, { downMs: Number(values['down-seconds']) * 1_000 }, verdicts, print),
};
for (const name of positionals.length > 0 ? positionals : Object.keys(trials)) {
  const trial = trials[name];
  if (trial === undefined) throw new Error(`There is no trial "${name}"; there are ${Object.keys(trials).join(', ')}.`);
  print(`# ${name}`);
  await trial();
}
process.exitCode = verdicts.failures();
