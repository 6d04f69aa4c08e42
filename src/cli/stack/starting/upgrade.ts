import { dirname } from 'node:path';
import { type UpgradeResult, upgradeStack } from '../../../stack/upgrade/upgrade.js';
import { textOf } from '../../../wire/json/json.js';
import { durationMs } from '../../duration.js';
import { result } from '../../terminal/output.js';
import { type ProgressKind, showProgress } from '../../terminal/progress.js';
import { openStack, type Surroundings } from '../../requests/target.js';
import { afterStart } from './after-start.js';

export interface UpgradeWords {
  readonly stack?: string | undefined;
  readonly name?: string | undefined;
  readonly 'dry-run': boolean;
  readonly 'no-snapshot': boolean;
  readonly timeout: string;
  readonly progress: ProgressKind;
}

/** `stack upgrade`. @throws CliError USAGE; StackError as `upgradeStack` */
export async function upgradeOne(words: UpgradeWords, surroundings: Surroundings): Promise<void> {
  const { output } = surroundings;
  const timeoutMs = durationMs(words.timeout, '--timeout');
  const stack = await openStack(words, surroundings);
  const progress = showProgress(output, words.progress);
  const upgraded = await upgradeStack(stack, {
    timeoutMs,
    dryRun: words['dry-run'],
    snapshot: !words['no-snapshot'],
    onProgress: progress.listener,
    onBegin: async ({ snapshot }) => {
      if (snapshot !== null) await output.note(`The state before it is saved: ${snapshot}`);
    },
  }).finally(() => progress.end());
  const { start, ...members } = upgraded;
  if (start !== null)
    await afterStart({ stack, env: start.env, directory: dirname(stack.definitionFile) }, surroundings);
  if (output.isJson) await output.json(textOf(result({ ...members, running: start !== null })));
  else if (output.isQuiet) await output.line(upgraded.name);
  else await output.line(textFor(upgraded, words, surroundings));
}

function textFor(
  { name, from, to, upgraded, snapshot, start }: UpgradeResult,
  words: UpgradeWords,
  { output, program }: Surroundings,
): string {
  if (from === to) return `${name} is of this version already: its databases have form ${to}.`;
  if (!upgraded) {
    const save = words['no-snapshot'] ? '' : 'save a snapshot, ';
    return `${name} would stop, ${save}migrate its databases from form ${from} to ${to}, and start.`;
  }
  const state = start === null ? 'It is stopped, as it was.' : 'It runs again.';
  const back =
    snapshot === null ? '' : ` The way back, with the older version: ${program} snapshot restore ${snapshot}`;
  return `${output.out.paint('green', '✓')} ${name} upgraded: form ${from} → ${to}. ${state}${back}`;
}
