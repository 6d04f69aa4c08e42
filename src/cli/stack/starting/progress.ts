import { dirname } from 'node:path';
import { hasOpenSeeds } from '../../../stack/places/open-seeds.js';
import type { Stack } from '../../../stack/places/locate.js';
import { type StartResult, startStack } from '../../../stack/running/start.js';
import type { StartOptions } from '../../../stack/running/start-options.js';
import { answer } from '../../terminal/answer.js';
import { type ProgressKind, showProgress } from '../../terminal/progress.js';
import { type InterruptSource, noteOnInterrupt } from './interrupt.js';
import { afterStart } from './after-start.js';
import { noteChanges } from './changes-note.js';
import { plainNodes } from '../watching/plain-note.js';
import { fundsNote } from './funds-note.js';
import { silenceNote } from './silence-note.js';
import { startedText, statusMembers } from '../watching/view.js';
import type { CommandContext } from '../../requests/target.js';

interface InterruptOptions {
  readonly signals?: InterruptSource;
  /** The note about an interruption before anything has started. */
  readonly notBegunText?: string;
}

/** Starts a stack with progress and prints its status. */
export async function start(
  stack: Stack,
  options: StartOptions,
  kind: ProgressKind,
  context: CommandContext,
  { hasHooks = true, ...interruption }: InterruptOptions & { readonly hasHooks?: boolean } = {},
): Promise<StartResult> {
  const { output, program } = context;
  const started = await startWithProgress(stack, options, kind, { output, program }, interruption);
  const isWhole = options.wait !== false && options.only === undefined;
  if (isWhole && (!started.alreadyRunning || (await hasOpenSeeds(stack.layout)))) {
    const directory = dirname(stack.definitionFile);
    await afterStart({ stack, env: started.env, directory, hasHooks }, context);
  }
  const { alreadyRunning, durationMs: spentMs, smoke } = started;
  if (alreadyRunning && options.reassignPorts === true) {
    await output.note('The stack is already running and keeps its ports. To change them, stop it first.');
  }
  const plain = plainNodes(stack.settings, started);
  if (plain !== undefined) await output.note(plain);
  const { changes } = started;
  const members = { ...statusMembers(started), alreadyRunning, durationMs: spentMs, smoke, changes };
  await answer(output, members, startedText(started, { output, program }), started.name);
  return started;
}

/** Starts a stack with progress. @throws StackError as `startStack` */
export async function startWithProgress(
  stack: Stack,
  options: StartOptions,
  kind: ProgressKind,
  { output, program }: Pick<CommandContext, 'output' | 'program'>,
  { signals = process, notBegunText }: InterruptOptions = {},
): Promise<StartResult> {
  const progress = showProgress(output, kind);
  const interruption = noteOnInterrupt({ name: stack.name, program, output, notBegunText }, signals);
  try {
    return await startStack(stack, {
      ...options,
      onLaunch: interruption.launched,
      onProgress: (view) => {
        interruption.begun();
        progress.listener(view);
      },
      onWait: ({ pid, purpose }) => {
        void output.note(`Waiting for another command (${purpose}, pid ${pid}).`);
      },
      onSilent: silenceNote(stack.name, output),
      onFunds: fundsNote(output),
      onChanges: (changes, { isRunning }) => noteChanges(changes, isRunning, output),
    });
  } finally {
    interruption.end();
    await progress.end();
  }
}
