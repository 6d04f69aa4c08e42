import assert from 'node:assert';
import { finalExitCode } from '../http/program.js';
import type { Clock } from '../ports/clock.js';
import { createPatience, type Patience } from './patience.js';
import { createPause, type Pause } from './pause.js';
import type { ServiceSpec, Spec, TaskSpec } from './plan.js';
import type { Probe } from './probe.js';
import type { Child, ChildMessage, Exit } from './process.js';
import type { ServiceView } from './view.js';

export interface AttemptOptions {
  readonly launch: (spec: Spec, onMessage: (message: ChildMessage) => void) => Promise<Child>;
  readonly probe: Probe;
  /** Processor time of a process's main thread, in milliseconds; undefined where nobody can tell. */
  readonly workOf: (pid: number) => Promise<number | undefined>;
  readonly clock: Clock;
  readonly change: (changes: Partial<ServiceView>) => void;
  /** Called with the pause of a process that works, and with undefined when it works no more. */
  readonly onPausable?: (pause: Pause | undefined) => void;
  /** Aborted when the service is to stop. */
  readonly signal: AbortSignal;
  /** How long a process that is to stop has until it is killed. */
  readonly stopGraceMs: () => number;
}

/** How one run of a program ended. */
export interface Outcome {
  readonly exit: Exit;
  readonly wasHealthy: boolean;
  /** It had to be killed after it was asked to stop. */
  readonly wasForced: boolean;
  /** The program itself said why it cannot start. */
  readonly refusal: string | undefined;
  /** To start the program again would change nothing: it said so with its exit code. */
  readonly isFinal: boolean;
  /** There was no process at all: the system refused, not the program. */
  readonly isStillborn: boolean;
  /** Why it ended, in words. */
  readonly cause: string;
}

const readinessPollMs = 25;
const silentGraceMs = 2_000;

/**
 * One life of a process, from its start until it is gone: by itself, because it is to stop, or because it fell
 * silent. Its whole group is gone when this resolves.
 */
export async function attempt(spec: Spec, options: AttemptOptions): Promise<Outcome> {
  const { clock, change, signal, probe, workOf } = options;
  const patience = createPatience(spec.type === 'service' ? spec.readyTimeoutMs : 0);
  const news = createNews(clock, (progress) => {
    change({ progress });
    patience.renew();
  });
  change({ state: 'starting', startedAt: clock.now(), readyAfterMs: null, progress: null, isFinal: false });
  let child: Child;
  try {
    child = await options.launch(spec, news.onMessage);
  } catch (error) {
    patience.end();
    return stillborn(error);
  }
  change({ pid: child.pid, identity: child.identity ?? null });
  const gone = new AbortController();
  const exited = child.exited.finally(() => {
    gone.abort();
  });
  const work = () => workOf(child.pid);
  const pause = createPause(child, (isOn) => {
    change({ state: isOn ? 'paused' : 'healthy' });
  });
  const watching: Watching = {
    ...{ news, patience, change, probe, work, clock, pause },
    onWorks: () => options.onPausable?.(pause),
    signal: AbortSignal.any([signal, gone.signal]),
  };
  const silence = await (spec.type === 'task' ? watchTask(spec, watching) : watchService(spec, watching));
  options.onPausable?.(undefined);
  patience.end();
  let wasForced = false;
  if (!gone.signal.aborted) {
    assert(signal.aborted || silence !== undefined, 'a process that works is ended for a reason');
    if (signal.aborted) change({ state: 'stopping' });
    wasForced = await child.stop(signal.aborted ? options.stopGraceMs() : Math.min(silentGraceMs, spec.stopGraceMs));
  }
  const exit = await exited;
  change({ pid: null, identity: null, progress: null });
  const refusal = news.refusal();
  const cause = refusal ?? silence ?? describe(exit);
  const isFinal = exit.code === finalExitCode;
  return { exit, wasForced, refusal, wasHealthy: news.wasHealthy(), isFinal, isStillborn: false, cause };
}

function stillborn(error: unknown): Outcome {
  const cause = error instanceof Error ? error.message : String(error);
  const exit = { code: null, signal: null };
  return { exit, wasForced: false, refusal: undefined, wasHealthy: false, isFinal: false, isStillborn: true, cause };
}

/** What one run of the program has said so far. */
interface News {
  onMessage(message: ChildMessage): void;
  /** Resolves when it has said that it is ready, with where; with undefined when the signal is aborted before. */
  ready(signal: AbortSignal): Promise<{ port: number; url: string } | undefined>;
  refusal(): string | undefined;
  result(): Readonly<Record<string, unknown>> | undefined;
  wasHealthy(): boolean;
  setHealthy(): void;
  elapsedMs(): number;
}

function createNews(clock: Clock, onProgress: (text: string) => void): News {
  const begunMs = clock.monotonicMs();
  let place: { port: number; url: string } | undefined;
  let refusal: string | undefined;
  let result: Readonly<Record<string, unknown>> | undefined;
  let healthy = false;
  let wake = (): void => undefined;
  return {
    onMessage: (message) => {
      if (message.type === 'failed') refusal = message.message;
      else if (message.type === 'result') result = message.value;
      else if (message.type === 'progress') {
        // A chain that goes back replays its journal too, long after its start.
        if (!healthy) onProgress(message.text);
      } else place = { port: message.port, url: message.url };
      wake();
    },
    ready: (signal) =>
      new Promise((resolve) => {
        wake = () => {
          if (place !== undefined || signal.aborted) resolve(place);
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
  readonly news: News;
  readonly patience: Patience;
  readonly probe: Probe;
  /** Processor time of the process's main thread. */
  readonly work: () => Promise<number | undefined>;
  readonly clock: Clock;
  readonly pause: Pause;
  /** Called when the service is healthy for the first time. */
  readonly onWorks: () => void;
  readonly change: (changes: Partial<ServiceView>) => void;
  /** Aborted when the service is to stop or its process is gone. */
  readonly signal: AbortSignal;
}

/** Resolves when the task is gone or to be stopped; with a reason when it took too long. */
async function watchTask(spec: TaskSpec, { news, signal, change, clock }: Watching): Promise<string | undefined> {
  await clock.sleep(spec.timeoutMs, signal);
  change({ result: news.result() ?? null, readyAfterMs: news.elapsedMs() });
  return signal.aborted ? undefined : `It did not end within ${spec.timeoutMs} ms.`;
}

/** Resolves when the service is gone or to be stopped; with a reason when it must be replaced. */
async function watchService(spec: ServiceSpec, watching: Watching): Promise<string | undefined> {
  const { news, patience, signal, change, probe, clock } = watching;
  const waiting = AbortSignal.any([signal, patience.signal]);
  const late = `It was not ready within ${spec.readyTimeoutMs} ms.`;
  const place = await news.ready(waiting);
  if (place === undefined) return signal.aborted ? undefined : late;
  change(place);
  const url = new URL(spec.health.path, place.url).href;
  for (;;) {
    const answer = await probe.ask(url, spec.health.timeoutMs);
    if (signal.aborted) return undefined;
    if (answer === 'ready') break;
    if (patience.signal.aborted) return late;
    // It works, and has to catch up with others: to start it again would make that longer.
    if (answer === 'alive') patience.renew();
    await clock.sleep(readinessPollMs, waiting);
  }
  patience.end();
  news.setHealthy();
  change({ state: 'healthy', readyAfterMs: news.elapsedMs(), progress: null });
  watching.onWorks();
  return askForLife(spec, url, watching);
}

/**
 * A service that does not answer hangs, or works: one whose main thread used processor time since the last question
 * works at something long, and to start it again would begin that anew. So it has more time, and not for ever. One that
 * is paused is not asked.
 */
async function askForLife(spec: ServiceSpec, url: string, watching: Watching): Promise<string | undefined> {
  const { signal, change, probe, work, clock, pause } = watching;
  const { intervalMs, timeoutMs, maxMisses } = spec.health;
  const busyMs = (intervalMs + timeoutMs) * busyShare;
  const isBusy = (from = 0, to = 0): boolean => to - from >= busyMs;
  let misses = 0;
  let idle = 0;
  let before = await work();
  while (idle < maxMisses && misses < maxMisses * busyPatience) {
    if (signal.aborted) return undefined;
    await clock.sleep(intervalMs, signal);
    if (pause.isOn()) {
      await pause.over(signal);
      [misses, idle, before] = [0, 0, await work()];
      continue;
    }
    if (signal.aborted) return undefined;
    const turns = pause.turns();
    const isAlive = (await probe.ask(url, timeoutMs)) !== 'missing';
    const now = await work();
    if (signal.aborted) return undefined;
    if (pause.turns() !== turns) continue;
    if (isAlive && misses > 0) change({ state: 'healthy' });
    if (!isAlive && misses === 0) change({ state: 'unhealthy' });
    misses = isAlive ? 0 : misses + 1;
    idle = isAlive || isBusy(before, now) ? 0 : idle + 1;
    before = now;
  }
  const how = idle < maxMisses ? ', though it was working' : '';
  return `It did not answer ${url} ${misses} times in a row${how}.`;
}

/** How many times longer a service may be silent that works. */
const busyPatience = 10;
/** A main thread that waits for something uses a hundredth of a processor; one that computes, whatever it gets. */
const busyShare = 0.05;

function describe(exit: Exit): string {
  return exit.signal === null ? `It ended with code ${exit.code}.` : `It was ended by ${exit.signal}.`;
}
