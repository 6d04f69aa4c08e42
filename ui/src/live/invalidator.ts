import type { Query, QueryClient } from '@tanstack/react-query';
import type { DeliveredEvent } from '../../../src/wire/events/event.js';
import { isMissing } from '../api/missing.js';
import { touchedBy } from './touched.js';

/** Makes reads be made again, each at most once in a while. */
export interface Invalidator {
  eventCame(event: DeliveredEvent): void;
  touch(...subjects: readonly string[]): void;
  everythingChanged(): void;
  stop(): void;
}

const intervalMs = 500;
/**
 * The interval while more events than this come in the usual one: nobody reads so fast, and the reads of all open tabs
 * together would cost the node more than the events.
 */
const busyIntervalMs = 2_000;
const busyEvents = 50;
/** Beyond so many subjects all count as touched: a tab may be hidden for days, and what it notes must have an end. */
const maxSubjects = 2_000;
/** Touches within this time are read together. */
const gatherMs = 30;

/**
 * Gathers what events touch. The first touch is acted on soon, those that follow once in an interval. A hidden tab
 * reads nothing, and catches up when it is shown.
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
    // A record that was not there may have come with anything: one that waits has no event that names it.
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

/** The subject of reads of one record, which only events about that record touch. */
export function recordSubject(id: string): string {
  return `record ${id}`;
}
