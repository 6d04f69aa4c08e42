import { requireOwnForm } from '../../../stack/upgrade/state-form.js';
import { restartService, stopStack } from '../../../stack/running/stop.js';
import { durationMs } from '../../duration.js';
import type { ProgressKind } from '../../terminal/progress.js';
import { openStack, type Surroundings } from '../../requests/target.js';
import { beforeStop } from './before-stop.js';
import { noteOnInterrupt } from './interrupt.js';
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
  const notBegunText = interruptedText(stack.name, party, surroundings);
  const interruption = noteOnInterrupt({ ...surroundings, name: stack.name, notBegunText });
  try {
    if (party === undefined) await stopStack(stack);
    else await restartService(stack, party);
  } finally {
    interruption.end();
  }
  const only = party === undefined ? {} : { only: [party], smoke: false };
  await start(stack, { timeoutMs, ...only }, words.progress, surroundings, { notBegunText });
  if (failure !== undefined) throw failure;
}

/** The note about an interruption before a start has begun. The supervisor ends what it was asked for. */
function interruptedText(name: string, party: string | undefined, { program }: Surroundings): string {
  return party === undefined
    ? `${name} stops, and is not started again. Start it: ${program} start ${name}`
    : `${party} is still restarting. See how far it is: ${program} status ${name}`;
}
