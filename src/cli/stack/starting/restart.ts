import type { restartFlags } from './flags.js';
import type { FlagsOf } from '../../flag-types.js';
import { reviewChanges } from '../../../stack/definition/changes.js';
import { hasSupervisor } from '../../../stack/cleaning/stale.js';
import { requireOwnForm } from '../../../stack/upgrade/state-form.js';
import { requireStartable } from '../../../stack/running/attempt.js';
import { restartService, stopStack } from '../../../stack/running/stop.js';
import { durationMs } from '../../duration.js';
import { openStack, type CommandContext } from '../../requests/target.js';
import { beforeStop } from '../ending/before-stop.js';
import { fundsNote } from './funds-note.js';
import { silenceNote } from './silence-note.js';
import { noteOnInterrupt } from './interrupt.js';
import { start } from './progress.js';

export type RestartFlags = FlagsOf<typeof restartFlags> & {
  readonly name?: string | undefined;
};

/** `stack restart`. @throws StackError as `stopStack`, `restartService`, `startStack` */
export async function restartOne(flags: RestartFlags, context: CommandContext): Promise<void> {
  const timeoutMs = durationMs(flags.timeout, '--timeout');
  const stack = await openStack(flags, context);
  const { party } = flags;
  // Checked first, so that nothing is stopped that cannot start again.
  await requireOwnForm(stack);
  if (party === undefined) {
    await reviewChanges(stack.layout, stack.settings);
    const onFunds = fundsNote(context.output);
    if (await hasSupervisor(stack)) await requireStartable(stack, { timeoutMs, onFunds }, { isRunning: true });
  }
  const failure = party === undefined ? await beforeStop(stack, context) : undefined;
  const notBegunText = interruptedText(stack.name, party, context);
  const interruption = noteOnInterrupt({ ...context, name: stack.name, notBegunText });
  try {
    if (party === undefined) await stopStack(stack, { onSilent: silenceNote(stack.name, context.output) });
    else await restartService(stack, party);
  } finally {
    interruption.end();
  }
  const only = party === undefined ? {} : { only: [party], smoke: false };
  await start(stack, { timeoutMs, ...only }, flags.progress, context, { notBegunText });
  if (failure !== undefined) throw failure;
}

/** The note about an interruption before the start begins. The supervisor completes what it has begun. */
function interruptedText(name: string, party: string | undefined, { program }: CommandContext): string {
  return party === undefined
    ? `${name} is stopping and will not be started again. Start it: ${program} start ${name}`
    : `${party} is still restarting. To see its state: ${program} status ${name}`;
}
