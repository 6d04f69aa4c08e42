import { createPatience } from '../supervisor/patience.js';
import type { ServiceView, SupervisorStatus } from '../supervisor/view.js';
import type { Control } from './control.js';

export type Readiness =
  | { readonly outcome: 'ready'; readonly status: SupervisorStatus }
  | { readonly outcome: 'failed'; readonly view: ServiceView }
  /** `slowest` is the first of those that hold up the others; undefined when the supervisor told nothing. */
  | { readonly outcome: 'late'; readonly missing: readonly string[]; readonly slowest: ServiceView | undefined }
  | { readonly outcome: 'gone' };

/** Called with the view of a service or task. */
export type ProgressListener = (view: ServiceView) => void;

/** The listener for those views only that differ from the last ones of their service. */
export function onlyChanges(listener: ProgressListener): ProgressListener {
  const shown = new Map<string, string>();
  return (view) => {
    const now = `${view.state} ${view.restarts} ${view.progress ?? ''}`;
    if (shown.get(view.name) !== now) listener(view);
    shown.set(view.name, now);
  };
}

/** What is waited for. */
export interface ReadinessScope {
  /** Tasks that must be completed. */
  readonly tasks: readonly string[];
  /** The services that must be healthy; default: all. */
  readonly only?: readonly string[] | undefined;
}

/** A status with these services and tasks alone. */
export function scopeOf(status: SupervisorStatus, only: readonly string[] | undefined): SupervisorStatus {
  if (only === undefined) return status;
  return { ...status, services: status.services.filter(({ name }) => only.includes(name)) };
}

/**
 * Waits until all services are healthy and these tasks are completed, or until that cannot come any more: something was
 * given up, the time is over (`timeoutMs`, anew whenever a service says how far its start is; 0 = no limit), or the
 * supervisor has ended.
 */
export async function waitUntilReady(
  control: Control,
  { tasks, only }: ReadinessScope,
  timeoutMs: number,
  onProgress: ProgressListener,
): Promise<Readiness> {
  const ended = new AbortController();
  const patience = createPatience(timeoutMs);
  const renewed = onlyChanges(({ progress }) => {
    if (typeof progress === 'string') patience.renew();
  });
  let last: SupervisorStatus | undefined;
  try {
    for await (const whole of control.watch(AbortSignal.any([ended.signal, patience.signal]))) {
      const status = scopeOf(whole, only);
      last = status;
      for (const view of status.services) {
        renewed(view);
        onProgress(view);
      }
      const failed = status.services.find((view) => view.state === 'failed');
      if (failed !== undefined) return { outcome: 'failed', view: failed };
      if (missingOf(status, tasks).length === 0) return { outcome: 'ready', status: whole };
    }
  } finally {
    patience.end();
    ended.abort();
  }
  if (!patience.signal.aborted) return { outcome: 'gone' };
  if (last === undefined) return { outcome: 'late', missing: ['supervisor'], slowest: undefined };
  const missing = missingOf(last, tasks);
  return { outcome: 'late', missing, slowest: slowestOf(last, missing) };
}

/** One that has ended before explains more than one that is slow, and one that has not begun waits for another. */
function slowestOf({ services }: SupervisorStatus, missing: readonly string[]): ServiceView | undefined {
  const open = services.filter(({ name }) => missing.includes(name));
  return open.find(({ restarts }) => restarts > 0) ?? open.find(({ state }) => state !== 'pending') ?? open[0];
}

/** The names of what is not yet as it should be. */
export function missingOf(status: SupervisorStatus, tasks: readonly string[]): string[] {
  return status.services
    .filter((view) => (view.type === 'service' ? view.state !== 'healthy' : isOpen(view, tasks)))
    .map((view) => view.name);
}

function isOpen(view: ServiceView, tasks: readonly string[]): boolean {
  return tasks.includes(view.name) && view.state !== 'completed';
}
