import type { QueryClient } from '@tanstack/react-query';
import type { DeliveredEvent } from '../../../src/wire/event.js';
import { touchedBy } from './touched.js';

/** Makes reads be made again, each at most once in a while. */
export interface Invalidator {
  eventCame(event: DeliveredEvent): void;
  touch(...subjects: readonly string[]): void;
  everythingChanged(): void;
  stop(): void;
}

const intervalMs = 500;
/** Touches within this time are read together. */
const gatherMs = 30;

/**
 * Gathers what events touch. The first touch is acted on soon, those that follow once in `intervalMs`. A hidden tab
 * reads nothing, and catches up when it is shown.
 */
export function createInvalidator(queries: QueryClient, namespace: string): Invalidator {
  const waiting = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastMs = 0;
  const flush = () => {
    timer = undefined;
    if (document.hidden) return;
    lastMs = performance.now();
    for (const subject of waiting) void queries.invalidateQueries({ queryKey: [namespace, subject] });
    waiting.clear();
  };
  const plan = () => {
    timer ??= setTimeout(flush, Math.max(gatherMs, lastMs + intervalMs - performance.now()));
  };
  const touch = (...subjects: readonly string[]) => {
    for (const subject of subjects) waiting.add(subject);
    plan();
  };
  const shown = () => {
    if (!document.hidden && waiting.size > 0) plan();
  };
  document.addEventListener('visibilitychange', shown);
  return {
    eventCame: ({ type, reference }) => touch(...touchedBy(type), recordSubject(reference)),
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
