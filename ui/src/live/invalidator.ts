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

/** The part of the document that tells whether the tab is visible. */
export interface Visibility {
  readonly hidden: boolean;
  addEventListener(type: 'visibilitychange', listener: () => void): void;
  removeEventListener(type: 'visibilitychange', listener: () => void): void;
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
export function createInvalidator(queries: QueryClient, namespace: string, tab: Visibility): Invalidator {
  const waiting = new Set<string>();
  const outdated = new Set<Query>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastMs = 0;
  let eventCount = 0;
  const flush = () => {
    timer = undefined;
    if (tab.hidden) return;
    const nowMs = performance.now();
    if (eventCount > busyEvents && nowMs < lastMs + busyIntervalMs) {
      timer = setTimeout(flush, lastMs + busyIntervalMs - nowMs);
      return;
    }
    lastMs = nowMs;
    eventCount = 0;
    const predicate = affected();
    // The answer of a read that has begun may be older than the change, so the read is repeated after it. It is not
    // cancelled: a node that answers more slowly than its events come would never be shown.
    for (const query of queries.getQueryCache().findAll({ predicate, fetchStatus: 'fetching' }))
      void query.promise?.catch(() => undefined).then(() => repeat(query));
    void queries.invalidateQueries({ predicate }, { cancelRefetch: false });
  };
  /** Takes what has been collected, and returns whether a read is affected. */
  const affected = () => {
    const [touched, again] = [new Set(waiting), new Set(outdated)];
    waiting.clear();
    outdated.clear();
    const isTouched = (subject: unknown) => touched.size > maxSubjects || touched.has(String(subject));
    // Any event may mean that a missing record has arrived: a pending message has no event that names it.
    const mayHaveArrived = (error: unknown) => touched.size > 0 && isMissing(error);
    return (query: Query) => {
      const [space, subject] = query.queryKey;
      return again.has(query) || (space === namespace && (isTouched(subject) || mayHaveArrived(query.state.error)));
    };
  };
  const repeat = (query: Query) => {
    outdated.add(query);
    plan();
  };
  const plan = () => {
    timer ??= setTimeout(flush, Math.max(gatherMs, lastMs + intervalMs - performance.now()));
  };
  const touch = (...subjects: readonly string[]) => {
    for (const subject of subjects) if (waiting.size <= maxSubjects) waiting.add(subject);
    plan();
  };
  const shown = () => {
    if (!tab.hidden && waiting.size + outdated.size > 0) plan();
  };
  tab.addEventListener('visibilitychange', shown);
  return {
    eventCame({ type, reference }) {
      eventCount++;
      touch(...touchedBy(type), recordSubject(reference));
    },
    touch,
    everythingChanged: () => void queries.invalidateQueries(),
    stop: () => {
      clearTimeout(timer);
      tab.removeEventListener('visibilitychange', shown);
    },
  };
}

/** The subject of reads of one record, touched only by events about that record. */
export function recordSubject(id: string): string {
  return `record ${id}`;
}
