import { requireOwnForm } from '../../../stack/upgrade/state-form.js';
import { restartService, stopStack } from '../../../stack/running/stop.js';
import { durationMs } from '../../duration.js';
import type { ProgressKind } from '../../terminal/progress.js';
import { openStack, type Surroundings } from '../../requests/target.js';
import { beforeStop } from './before-stop.js';
import { start } from './lifecycle.js';

export interface RestartWords {
  readonly stack?: string | undefined;
  readonly name?: string | undefined;
  readonly party?: string | undefined;
  readonly timeout: string;
  readonly progress: ProgressKind;
}

/** `stack restart`. @throws StackError as `stopStack`, `restartService`, `startStack` */
export async function restartOne(words: RestartWords, surroundings: Surroundings): Promise<void> {
  const timeoutMs = durationMs(words.timeout, '--timeout');
  const stack = await openStack(words, surroundings);
  const { party } = words;
  // Before anything stops that could not start again.
  await requireOwnForm(stack);
  const failure = party === undefined ? await beforeStop(stack, surroundings) : undefined;
  if (party === undefined) await stopStack(stack);
  else await restartService(stack, party);
  const only = party === undefined ? {} : { only: [party], smoke: false };
  await start(stack, { timeoutMs, ...only }, words.progress, surroundings);
  if (failure !== undefined) throw failure;
}
