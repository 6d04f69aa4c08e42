import assert from 'node:assert';
import { finalExitCode } from '../../http/program.js';
import type { Clock } from '../../ports/clock.js';
import { createProgressTimeout, type ProgressTimeout } from './progress-timeout.js';
import { createPause, type Pause } from './pause.js';
import type { ServiceSpec, Spec, TaskSpec } from '../plan.js';
import type { Probe } from './probe.js';
import type { Child, ChildMessage, Exit } from './process.js';
import type { ServiceView } from '../control/view.js';

export interface AttemptOptions {
  readonly launch: (spec: Spec, onMessage: (message: ChildMessage) => void) => Promise<Child>;
  readonly probe: Probe;
  /** CPU time of a process's main thread, in milliseconds; undefined if the system does not provide it. */
  readonly mainThreadMs: (pid: number) => number | undefined;
  readonly clock: Clock;
  readonly change: (changes: Partial<ServiceView>) => void;
  /** Called with the pause of a process once it is healthy, and with undefined when it no longer is. */
  readonly onPausable?: (pause: Pause | undefined) => void;
  /** Aborted when the service is to stop. */
  readonly signal: AbortSignal;
  /** Time that a stopping process has before it is killed. */
  readonly stopGraceMs: () => number;
}

/** The outcome of one run of a program. */
export interface RunResult {
  readonly exit: Exit;
  readonly wasHealthy: boolean;
  /** Whether it had to be killed after the request to stop. */
  readonly wasForced: boolean;
  /** The program's own reason why it cannot start. */
  readonly refusal: string | undefined;
  /** Whether a restart would change nothing, by the program's exit code. */
  readonly isFinal: boolean;
  /** Whether the system could not create the process. */
  readonly isUnspawned: boolean;
  /** The reason for the end, as a sentence. */
  readonly cause: string;
}

const readinessPollMs = 25;
const unresponsiveGraceMs = 2_000;

/**
 * Runs one process from its start until it is gone: because it ended, was stopped, or did not respond. Its whole group
 * is gone when this resolves.
 */
export async function attempt(spec: Spec, options: AttemptOptions): Promise<RunResult> {
  const { clock, change, signal, probe, mainThreadMs } = options;
  const progressTimeout = createProgressTimeout(spec.type === 'service' ? spec.readyTimeoutMs : 0);
  const reports = createReports(clock, (progress) => {
    change({ progress });
    progressTimeout.restart();
  });
  change({ state: 'starting', startedAt: clock.now(), readyAfterMs: null, progress: null, note: null, isFinal: false });
  let child: Child;
  try {
    child = await options.launch(spec, reports.onMessage);
  } catch (error) {
    progressTimeout.end();
    return unspawned(error);
  }
  change({ pid: child.pid, identity: child.identity ?? null, isContainer: child.isContainer });
  const gone = new AbortController();
  const exited = child.exited.finally(() => {
    gone.abort();
  });
  const pause = createPause(child, (isOn) => {
    change({ state: isOn ? 'paused' : 'healthy' });
  });
  const watching: Watching = {
    reports,
    progressTimeout,
    change,
    probe,
    workedMs: () => mainThreadMs(child.pid),
    clock,
    pause,
    onHealthy: () => options.onPausable?.(pause),
    signal: AbortSignal.any([signal, gone.signal]),
  };
  const problem = await (spec.type === 'task' ? watchTask(spec, watching) : watchService(spec, watching));
  options.onPausable?.(undefined);
  progressTimeout.end();
  let wasForced = false;
  if (!gone.signal.aborted) {
    assert(signal.aborted || problem !== undefined, 'a running process is ended for a reason');
    if (signal.aborted) change({ state: 'stopping' });
    const graceMs = signal.aborted ? options.stopGraceMs() : Math.min(unresponsiveGraceMs, spec.stopGraceMs);
    wasForced = await child.stop(graceMs);
  }
  const exit = await exited;
  change({ pid: null, identity: null, progress: null });
  const refusal = reports.refusal();
  const cause = refusal ?? problem ?? describe(exit);
  const isFinal = exit.code === finalExitCode;
  return { exit, wasForced, refusal, wasHealthy: reports.wasHealthy(), isFinal, isUnspawned: false, cause };
}

function unspawned(error: unknown): RunResult {
  const cause = error instanceof Error ? error.message : String(error);
  const exit = { code: null, signal: null };
  return { exit, wasForced: false, refusal: undefined, wasHealthy: false, isFinal: false, isUnspawned: true, cause };
}

/** The address of a program that is ready, and its note. */
interface Address {
  readonly port: number;
  readonly url: string;
  readonly note: string | null;
}

/** The messages of one run of a program so far. */
interface Reports {
  onMessage(message: ChildMessage): void;
  /** Resolves with the reported address when the program is ready; with undefined if the signal is aborted before. */
  ready(signal: AbortSignal): Promise<Address | undefined>;
  refusal(): string | undefined;
  result(): Readonly<Record<string, unknown>> | undefined;
  wasHealthy(): boolean;
  setHealthy(): void;
  elapsedMs(): number;
}

function createReports(clock: Clock, onProgress: (text: string) => void): Reports {
  const begunMs = clock.monotonicMs();
  let address: Address | undefined;
  let refusal: string | undefined;
  let result: Readonly<Record<string, unknown>> | undefined;
  let healthy = false;
  let wake = (): void => undefined;
  return {
    onMessage: (message) => {
      if (message.type === 'failed') refusal = message.message;
      else if (message.type === 'result') result = message.value;
      else if (message.type === 'progress') {
        // A healthy chain reports progress, too, when a revert makes it replay its journal.
        if (!healthy) onProgress(message.text);
      } else address = { port: message.port, url: message.url, note: message.note ?? null };
      wake();
    },
    ready: (signal) =>
      new Promise((resolve) => {
        wake = () => {
          if (address !== undefined || signal.aborted) resolve(address);
        };
        signal.addEventListener('abort', () => {
          wake();
        });
        wake();
      }),
    refusal: () => refusal,
    result: () => result,
    wasHealthy: () => healthy,
    setHealthy: () => {
      healthy = true;
    },
    elapsedMs: () => Math.round(clock.monotonicMs() - begunMs),
  };
}

interface Watching {
  readonly reports: Reports;
  readonly progressTimeout: ProgressTimeout;
  readonly probe: Probe;
  /** CPU time of the process's main thread. */
  readonly workedMs: () => number | undefined;
  readonly clock: Clock;
  readonly pause: Pause;
  /** Called when the service is healthy for the first time. */
  readonly onHealthy: () => void;
  readonly change: (changes: Partial<ServiceView>) => void;
  /** Aborted when the service is to stop or its process is gone. */
  readonly signal: AbortSignal;
}

/** Resolves when the task has ended or is to be stopped; with a reason if it timed out. */
async function watchTask(spec: TaskSpec, { reports, signal, change, clock }: Watching): Promise<string | undefined> {
  await clock.sleep(spec.timeoutMs, signal);
  change({ result: reports.result() ?? null, readyAfterMs: reports.elapsedMs() });
  return signal.aborted ? undefined : `It did not end within ${spec.timeoutMs} ms.`;
}

/** Resolves when the service has ended or is to be stopped; with a reason if it must be replaced. */
async function watchService(spec: ServiceSpec, watching: Watching): Promise<string | undefined> {
  const { reports, progressTimeout, signal, change, probe, clock } = watching;
  const waiting = AbortSignal.any([signal, progressTimeout.signal]);
  const late = `It was not ready within ${spec.readyTimeoutMs} ms of its start or its last progress.`;
  const address = await reports.ready(waiting);
  if (address === undefined) return signal.aborted ? undefined : late;
  change(address);
  const url = new URL(spec.health.path, address.url).href;
  for (;;) {
    const answer = await probe.ask(url, spec.health);
    if (signal.aborted) return undefined;
    if (answer === 'ready') break;
    if (progressTimeout.signal.aborted) return late;
    // A service that responds is still catching up with others; a restart would only prolong that.
    if (answer !== 'missing') progressTimeout.restart();
    await clock.sleep(readinessPollMs, waiting);
  }
  progressTimeout.end();
  reports.setHealthy();
  change({ state: 'healthy', readyAfterMs: reports.elapsedMs(), progress: null });
  watching.onHealthy();
  return watchHealth(spec, url, watching);
}

/**
 * Checks the health of a running service. One that does not respond either hangs or is busy: if its main thread used
 * CPU time since the last check, it is busy, and a restart would begin the work again. So it gets more time, up to a
 * limit. A paused service is not checked.
 */
async function watchHealth(spec: ServiceSpec, url: string, watching: Watching): Promise<string | undefined> {
  const { signal, change, probe, workedMs, clock, pause } = watching;
  const { intervalMs, timeoutMs, maxMisses } = spec.health;
  const busyMs = (intervalMs + timeoutMs) * busyShare;
  const isBusy = (from = 0, to = 0): boolean => to - from >= busyMs;
  let misses = 0;
  let idle = 0;
  let lastProblem: string | undefined;
  let before = workedMs();
  while (idle < maxMisses && misses < maxMisses * maxBusyFactor) {
    if (signal.aborted) return undefined;
    await clock.sleep(misses === 0 ? untilNext(intervalMs, clock) : intervalMs, signal);
    if (pause.isOn()) {
      await pause.over(signal);
      [misses, idle, before] = [0, 0, workedMs()];
      continue;
    }
    if (signal.aborted) return undefined;
    const changes = pause.changes();
    const answer = await probe.ask(url, spec.health);
    const isAlive = answer !== 'missing';
    const now = workedMs();
    if (signal.aborted) return undefined;
    if (pause.changes() !== changes) continue;
    const problem = typeof answer === 'object' ? answer.problem : undefined;
    if (problem !== lastProblem) {
      change({ state: problem === undefined ? 'healthy' : 'unhealthy', message: problem ?? null });
    }
    lastProblem = problem;
    if (isAlive && misses > 0 && problem === undefined) change({ state: 'healthy' });
    if (!isAlive && misses === 0) change({ state: 'unhealthy' });
    misses = isAlive ? 0 : misses + 1;
    idle = isAlive || isBusy(before, now) ? 0 : idle + 1;
    before = now;
  }
  const how = idle < maxMisses ? ', though it was working' : '';
  return `It did not answer ${url} ${misses} times in a row${how}.`;
}

/**
 * The time until a multiple of an interval, at least half of it. All services are then checked at the same moment, so
 * the supervisor wakes once for all of them; for five services that halves its processor time.
 */
function untilNext(intervalMs: number, { monotonicMs }: Pick<Clock, 'monotonicMs'>): number {
  const restMs = intervalMs - (monotonicMs() % intervalMs);
  return restMs < intervalMs / 2 ? restMs + intervalMs : restMs;
}

/** Factor on the time that a busy service may take to respond. */
const maxBusyFactor = 10;
/** Share of a CPU that counts as busy: a waiting main thread uses a hundredth, a computing one all that it gets. */
const busyShare = 0.05;

function describe(exit: Exit): string {
  if (exit.signal === null && exit.code === null) return 'It was lost with the engine of its container.';
  return exit.signal === null ? `It ended with code ${exit.code}.` : `It was ended by ${exit.signal}.`;
}
