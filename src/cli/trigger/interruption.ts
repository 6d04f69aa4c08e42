import { CliError } from '../errors/exit.js';
import { signalCodes, type Signals } from '../signals.js';
import type { TriggerStep } from './read.js';

/** Ends the steps of a trigger at a signal, but not those under `finally`, which a second signal ends. */
export interface Interruption {
  /** Awaits a step. @throws CliError INTERRUPTED after a signal */
  duringStep<Result>(step: TriggerStep, work: Promise<Result>): Promise<Result>;
  /** Awaits the steps under `finally`. @throws CliError INTERRUPTED if there was a signal, before or meanwhile */
  duringFinally(work: Promise<void>): Promise<void>;
}

/** @param onFirst called at the first signal */
export function createInterruption(signals: Signals, onFirst: () => void): Interruption {
  const failures: CliError[] = [];
  signals.listen((signal) => {
    failures.push(new CliError('INTERRUPTED', 'Interrupted.', { isPrinted: true, exitCode: signalCodes[signal] }));
    if (failures.length === 1) onFirst();
  });
  const orSignal = async <Result>(work: Promise<Result>, count: 1 | 2): Promise<Result> => {
    let end = (): void => undefined;
    const interrupted = new Promise<never>((_, reject) => {
      end = signals.listen(() => {
        const failure = failures[count - 1];
        if (failure !== undefined) reject(failure);
      });
    });
    return Promise.race([work, interrupted]).finally(end);
  };
  const toItsEnd = async <Result>(work: Promise<Result>): Promise<Result> => {
    const result = await orSignal(work, 2);
    if (failures[0] !== undefined) throw failures[0];
    return result;
  };
  return {
    // A disturbance that takes effect later could no longer be undone.
    duringStep: (step, work) => (disturbs(step) ? toItsEnd(work) : orSignal(work, 1)),
    duringFinally: toItsEnd,
  };
}

function disturbs({ work }: TriggerStep): boolean {
  if (work.kind === 'parallel') return work.steps.some(disturbs);
  return work.kind === 'command' && /^(?:fault|party|chain) /.test(work.command);
}
