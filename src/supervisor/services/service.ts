import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import { attempt, type AttemptOptions, type RunResult } from './attempt.js';
import type { Pause } from './pause.js';
import type { Spec } from '../plan.js';
import { emptyView, type ServiceState, type ServiceView } from '../control/view.js';

export interface Service {
  view(): ServiceView;
  /**
   * Starts the service, or restarts it after an end; resumes a paused one. Does nothing while it is running, or once
   * the supervisor stops.
   */
  start(): void;
  /**
   * Stops the process and keeps it stopped: true if it had to be killed, which happens after `graceMs` (default: the
   * plan's). Does nothing if it is stopped.
   */
  stop(graceMs?: number): Promise<boolean>;
  /**
   * Pauses its process until `resume`; its health is not checked meanwhile. False if there is no healthy process to
   * pause.
   *
   * @throws Error if the system refuses
   */
  pause(): Promise<boolean>;
  /** Resumes a paused process. False if none is paused. */
  resume(): boolean;
}

export interface ServiceOptions {
  readonly spec: Spec;
  readonly launch: AttemptOptions['launch'];
  readonly probe: AttemptOptions['probe'];
  readonly mainThreadMs: AttemptOptions['mainThreadMs'];
  readonly clock: Clock;
  /** Whether services may start: one that starts after its turn to be stopped would outlive the supervisor. */
  readonly mayStart: () => boolean;
  /** Called after every change of the view. */
  readonly onChange: () => void;
  readonly log: Log;
}

/**
 * Keeps one program alive: starts it, waits until it is ready, checks its health, restarts it when it ends or does not
 * respond. A program that was healthy is always restarted; one that never becomes healthy is given up after
 * `restart.max` restarts within the window, or at once if it reports that it cannot start. After the exit code
 * `finalExitCode`, only `start` starts it again.
 */
export function createService(options: ServiceOptions): Service {
  const { spec, clock, log } = options;
  let view = emptyView(spec);
  let life: { readonly end: AbortController; readonly done: Promise<void> } | undefined;
  let wasForced = false;
  let stopGraceMs = spec.stopGraceMs;
  const { onPausable, pause, resume } = createPausing(spec.name, log);

  const change = (changes: Partial<ServiceView>): void => {
    const isNew = changes.state !== undefined && changes.state !== view.state;
    view = { ...view, ...changes, ...(isNew && { stateSince: clock.now() }) };
    options.onChange();
  };

  const live = async (signal: AbortSignal): Promise<ServiceState> => {
    const restartPolicy = createRestartPolicy(spec, clock);
    while (!signal.aborted) {
      const grace = () => stopGraceMs;
      const outcome = await attempt(spec, { ...options, change, onPausable, signal, stopGraceMs: grace });
      wasForced ||= outcome.wasForced;
      if (signal.aborted) break;
      if (spec.type === 'task' && outcome.exit.code === 0) return 'completed';
      const delayMs = restartPolicy.delayAfter(outcome);
      log.warn('A service ended', { service: spec.name, cause: outcome.cause, again: delayMs !== undefined });
      change({ message: outcome.cause, isFinal: outcome.isFinal });
      if (delayMs === undefined) return 'failed';
      change({ state: 'starting', restarts: view.restarts + 1 });
      await clock.sleep(delayMs, signal);
    }
    return 'stopped';
  };

  const begin = async (signal: AbortSignal): Promise<void> => {
    try {
      const state = await live(signal);
      change(state === 'completed' ? { state, message: null } : { state });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      log.error('A service cannot be run', { service: spec.name, error: message });
      change({ state: 'failed', pid: null, identity: null, message });
    }
  };

  return {
    view: () => view,
    start: () => {
      resume();
      if (life !== undefined || !options.mayStart()) return;
      const end = new AbortController();
      const done = begin(end.signal).finally(() => {
        life = undefined;
      });
      life = { end, done };
    },
    stop: async (graceMs = spec.stopGraceMs) => {
      wasForced = false;
      stopGraceMs = graceMs;
      life?.end.abort();
      await life?.done;
      if (view.state === 'pending') change({ state: 'stopped' });
      return wasForced;
    },
    pause,
    resume,
  };
}

/** Pauses and resumes the service's current process, which must be healthy. */
function createPausing(name: string, log: Log) {
  let pausable: Pause | undefined;
  return {
    onPausable: (pause: Pause | undefined): void => {
      pausable = pause;
    },
    pause: async (): Promise<boolean> => {
      if (pausable === undefined) return false;
      await pausable.begin();
      log.info('A service is paused', { service: name });
      return true;
    },
    resume: (): boolean => {
      if (pausable?.isOn() !== true) return false;
      pausable.end();
      log.info('A service is resumed', { service: name });
      return true;
    },
  };
}

interface RestartPolicy {
  /** Delay before the next start; undefined = give up. */
  delayAfter(outcome: RunResult): number | undefined;
}

function createRestartPolicy({ restart }: Spec, clock: Clock): RestartPolicy {
  let failuresMs: number[] = [];
  let hasBeenHealthy = false;
  return {
    delayAfter: ({ wasHealthy, refusal, isFinal, isUnspawned }) => {
      if (isFinal) return undefined;
      hasBeenHealthy ||= wasHealthy;
      // A full disk or process table is temporary; a program that was healthy is not given up for it.
      if (isUnspawned && hasBeenHealthy) return restart.maxDelayMs;
      const now = clock.monotonicMs();
      failuresMs = wasHealthy ? [] : [...failuresMs, now].filter((time) => now - time <= restart.windowMs);
      const isHopeless = refusal !== undefined && !hasBeenHealthy;
      if (isHopeless || failuresMs.length > restart.max) return undefined;
      return Math.min(restart.maxDelayMs, restart.firstDelayMs * 2 ** Math.max(0, failuresMs.length - 1));
    },
  };
}
