import type { Query, QueryClient } from '@tanstack/react-query';
import type { DeliveredEvent } from '../../../src/wire/events/event.js';
import { isMissing } from '../api/missing.js';
import { touchedBy } from './touched.js';

/** Invalidates reads when their subjects change, at a limited rate. */
export interface Invalidator {
  eventCame(event: DeliveredEvent): void;
  touch(...subjects: readonly string[]): void;
  everythingChanged(): void;
  stop(): void;
}

const intervalMs = 500;
/** The interval after more than `busyEvents` events in the usual one, so that many open tabs do not load the node. */
const busyIntervalMs = 2_000;
const busyEvents = 50;
/** Above this number of subjects, all reads are invalidated. It limits the memory of a tab that is hidden for days. */
const maxSubjects = 2_000;
/** Touches within this time are handled together. */
const gatherMs = 30;

/**
 * Collects the subjects that events touch. The first touch takes effect at once, later ones once per interval. A hidden
 * tab reads nothing, and catches up when it is shown.
 */
export function createInvalidator(queries: QueryClient, namespace: string): Invalidator {
  const waiting = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastMs = 0;
  let eventCount = 0;
  const flush = () => {
    timer = undefined;
    if (document.hidden) return;
    const nowMs = performance.now();
    if (eventCount > busyEvents && nowMs < lastMs + busyIntervalMs) {
      timer = setTimeout(flush, lastMs + busyIntervalMs - nowMs);
      return;
    }
    lastMs = nowMs;
    eventCount = 0;
    const touched = new Set(waiting);
    waiting.clear();
    const isTouched = (subject: unknown) => touched.size > maxSubjects || touched.has(String(subject));
    // Any event may mean that a missing record has arrived: a pending message has no event that names it.
    const predicate = ({ queryKey: [space, subject], state }: Query) =>
      space === namespace && (isTouched(subject) || isMissing(state.error));
    void queries.invalidateQueries({ predicate });
  };
  const plan = () => {
    timer ??= setTimeout(flush, Math.max(gatherMs, lastMs + intervalMs - performance.now()));
  };
  const touch = (...subjects: readonly string[]) => {
    for (const subject of subjects) if (waiting.size <= maxSubjects) waiting.add(subject);
    plan();
  };
  const shown = () => {
    if (!document.hidden && waiting.size > 0) plan();
  };
  document.addEventListener('visibilitychange', shown);
  return {
    eventCame({ type, reference }) {
      eventCount++;
      touch(...touchedBy(type), recordSubject(reference));
    },
    touch,
    everythingChanged: () => void queries.invalidateQueries(),
    stop: () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', shown);
    },
  };
}

/** The subject of reads of one record, touched only by events about that record. */
export function recordSubject(id: string): string {
  return `record ${id}`;
}
