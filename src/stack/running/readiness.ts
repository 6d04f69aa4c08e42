import { createProgressTimeout } from '../../supervisor/services/progress-timeout.js';
import type { ServiceView, SupervisorStatus } from '../../supervisor/control/view.js';
import type { Control } from '../control/control.js';

export type Readiness =
  | { readonly outcome: 'ready'; readonly status: SupervisorStatus }
  | { readonly outcome: 'failed'; readonly view: ServiceView }
  /** `slowest` is the first service that delays others; undefined if the supervisor reported none. */
  | { readonly outcome: 'late'; readonly missing: readonly string[]; readonly slowest: ServiceView | undefined }
  | { readonly outcome: 'gone' };

/** Called with the state of a service or task. */
export type ProgressListener = (view: ServiceView) => void;

/** Passes on only states that differ from the previous one of their service. */
export function onlyChanges(listener: ProgressListener): ProgressListener {
  const shown = new Map<string, string>();
  return (view) => {
    const now = `${view.state} ${view.restarts} ${view.progress ?? ''}`;
    if (shown.get(view.name) !== now) listener(view);
    shown.set(view.name, now);
  };
}

export interface ReadinessScope {
  readonly tasks: readonly string[];
  /** Services that must be healthy; default: all. */
  readonly only?: readonly string[] | undefined;
}

/** Restricts a status to these services and tasks. */
export function scopeOf(status: SupervisorStatus, only: readonly string[] | undefined): SupervisorStatus {
  if (only === undefined) return status;
  return { ...status, services: status.services.filter(({ name }) => only.includes(name)) };
}

/**
 * Waits until all services are healthy and these tasks are completed, or that has become impossible: a service was
 * given up, the timeout expired (`timeoutMs`, restarted whenever a service reports progress; 0 = no limit), or the
 * supervisor has ended.
 */
export async function waitUntilReady(
  control: Control,
  { tasks, only }: ReadinessScope,
  timeoutMs: number,
  onProgress: ProgressListener,
): Promise<Readiness> {
  const ended = new AbortController();
  const progressTimeout = createProgressTimeout(timeoutMs);
  const restartTimeout = onlyChanges(({ progress }) => {
    if (typeof progress === 'string') progressTimeout.restart();
  });
  let last: SupervisorStatus | undefined;
  try {
    for await (const whole of control.watch(AbortSignal.any([ended.signal, progressTimeout.signal]))) {
      const status = scopeOf(whole, only);
      last = status;
      for (const view of status.services) {
        restartTimeout(view);
        onProgress(view);
      }
      const failed = status.services.find((view) => view.state === 'failed');
      if (failed !== undefined) return { outcome: 'failed', view: failed };
      if (missingOf(status, tasks).length === 0) return { outcome: 'ready', status: whole };
    }
  } finally {
    progressTimeout.end();
    ended.abort();
  }
  if (!progressTimeout.signal.aborted) return { outcome: 'gone' };
  if (last === undefined) return { outcome: 'late', missing: ['supervisor'], slowest: undefined };
  const missing = missingOf(last, tasks);
  return { outcome: 'late', missing, slowest: slowestOf(last, missing) };
}

/**
 * The service to report: first one that has been restarted, then one that is starting, since pending ones wait for
 * others.
 */
function slowestOf({ services }: SupervisorStatus, missing: readonly string[]): ServiceView | undefined {
  const open = services.filter(({ name }) => missing.includes(name));
  return open.find(({ restarts }) => restarts > 0) ?? open.find(({ state }) => state !== 'pending') ?? open[0];
}

/** The names of services and tasks that are not ready yet. */
export function missingOf(status: SupervisorStatus, tasks: readonly string[]): string[] {
  return status.services
    .filter((view) => (view.type === 'service' ? view.state !== 'healthy' : isOpen(view, tasks)))
    .map((view) => view.name);
}

function isOpen(view: ServiceView, tasks: readonly string[]): boolean {
  return tasks.includes(view.name) && view.state !== 'completed';
}
