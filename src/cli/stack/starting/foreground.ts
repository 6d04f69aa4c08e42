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
 * Starts a stack and prints the logs of its services until it ends. A signal stops it: within 10 s, at once after a
 * second signal.
 *
 * @throws the errors of `begin`; CliError INTERRUPTED after a signal, UNHEALTHY where the supervisor ended by itself
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
      return printUntilItEnds(stack, ended.signal, context);
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
  await output.note(`Stopping ${stack.name}. Another Ctrl-C ends it at once.`);
  const limit = { timeoutMs: stopLimitMs };
  const stopping = phase.now === 'running' ? stopStack(stack, limit) : stopStarting(stack, () => phase.now);
  await endWith(stopping, stack, signals);
  ended.abort();
  throw new CliError('INTERRUPTED', 'Interrupted.', { isSaid: true, exitCode: signalCodes[signal] });
}

/** Stops everything that a start, which holds the lock of the stack, has started or is about to start. */
async function stopStarting(stack: Stack, phaseNow: () => Phase): Promise<void> {
  for (const end = performance.now() + stopLimitMs; performance.now() < end; await sleep(pollMs)) {
    const { alreadyStopped } = await stopUnlocked(stack, { timeoutMs: stopLimitMs });
    if (!alreadyStopped || phaseNow() === 'ended') return;
  }
}

async function endWith(stopping: Promise<unknown>, stack: Stack, signals: Signals): Promise<void> {
  const hurry = nextSignal(signals);
  await Promise.race([stopping, hurry.came.then(() => killStack(stack))]);
  hurry.end();
}

/** A stream may end while the stack runs on, as one that is read too slowly does: the next one goes on. */
async function printUntilItEnds(stack: Stack, signal: AbortSignal, { output }: CommandContext): Promise<void> {
  const print = createLogPrinter(stack, output, true);
  while (!signal.aborted) {
    for await (const record of stackLogs(stack, { services: [], lines: 0, follow: true, signal })) await print(record);
    const now = await supervisorState(stack);
    if (now === 'stopped') return;
    if (now === 'dead') throw endedByItself(stack);
    await sleep(pollMs);
  }
}

function endedByItself({ name }: Stack): CliError {
  return new CliError('UNHEALTHY', `The supervisor of ${name} ended, and nobody has stopped it.`, {
    hint: `stack logs -s ${name} supervisor, then stack start ${name}: it continues where this one ended`,
  });
}
