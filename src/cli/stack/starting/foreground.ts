import { setTimeout as sleep } from 'node:timers/promises';
import { stackLogs } from '../../../stack/logs.js';
import type { Stack } from '../../../stack/places/locate.js';
import { killStack, supervisorState } from '../../../stack/cleaning/stale.js';
import { stopStack, stopUnlocked } from '../../../stack/running/stop.js';
import { CliError } from '../../errors/exit.js';
import { nextSignal, signalCodes, type Signals, takeSignals } from '../../signals.js';
import type { CommandContext } from '../../requests/target.js';
import { createLogPrinter } from '../watching/logs.js';

const stopLimitMs = 10_000;
const pollMs = 50;
type Phase = 'starting' | 'running' | 'ended';

/**
 * Starts a stack and prints the logs of its services until it ends. A signal stops it, and a second one kills it.
 *
 * @throws the errors of `begin`; CliError INTERRUPTED after a signal, UNHEALTHY if the supervisor ended unexpectedly
 */
export async function stayInForeground(
  stack: Stack,
  begin: () => Promise<void>,
  context: CommandContext,
): Promise<void> {
  const { output } = context;
  const signals = takeSignals();
  const interruption = nextSignal(signals);
  const ended = new AbortController();
  const phase: { now: Phase } = { now: 'starting' };
  const work = begin()
    .then(() => {
      phase.now = 'running';
      return printUntilEnd(stack, ended.signal, context);
    })
    .finally(() => {
      phase.now = 'ended';
    });
  const signal = await Promise.race([interruption.came, work.then(() => undefined)]);
  interruption.end();
  if (signal === undefined) {
    await output.note(`${stack.name} was stopped.`);
    return;
  }
  await output.note(`Stopping ${stack.name}. To kill it, press Ctrl-C again.`);
  const limit = { timeoutMs: stopLimitMs };
  const stopping = phase.now === 'running' ? stopStack(stack, limit) : stopStarting(stack, () => phase.now);
  await stopOrKill(stopping, stack, signals);
  ended.abort();
  throw new CliError('INTERRUPTED', 'Interrupted.', { isPrinted: true, exitCode: signalCodes[signal] });
}

/** Stops everything that a start in progress, which holds the lock of the stack, has started or will start. */
async function stopStarting(stack: Stack, phaseNow: () => Phase): Promise<void> {
  for (const end = performance.now() + stopLimitMs; performance.now() < end; await sleep(pollMs)) {
    const { alreadyStopped } = await stopUnlocked(stack, { timeoutMs: stopLimitMs });
    if (!alreadyStopped || phaseNow() === 'ended') return;
  }
}

async function stopOrKill(stopping: Promise<unknown>, stack: Stack, signals: Signals): Promise<void> {
  const second = nextSignal(signals);
  await Promise.race([stopping, second.came.then(() => killStack(stack))]);
  second.end();
}

/** Prints logs until the stack ends. A log stream that ends before, for example a slow one, is opened again. */
async function printUntilEnd(stack: Stack, signal: AbortSignal, { output, program }: CommandContext): Promise<void> {
  const print = createLogPrinter(stack, output, true);
  while (!signal.aborted) {
    for await (const record of stackLogs(stack, { services: [], lines: 0, follow: true, signal })) await print(record);
    const now = await supervisorState(stack);
    if (now === 'stopped') return;
    if (now === 'dead') throw endedUnexpectedly(stack, program);
    await sleep(pollMs);
  }
}

function endedUnexpectedly({ name }: Stack, program: string): CliError {
  return new CliError('UNHEALTHY', `The supervisor of ${name} ended unexpectedly.`, {
    hint: `See why: ${program} logs -s ${name} supervisor. To start it again: ${program} start ${name}`,
  });
}
