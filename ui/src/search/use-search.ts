import { useEffect, useMemo, useState } from 'react';
import { useExplorer } from '../api/explorer.js';
import { classify, type Reading } from './classify.js';
import { searchKinds } from './kinds.js';
import type { Hit } from './lookup.js';

/** The answer for one kind of record. */
export interface Group {
  readonly title: string;
  /** Undefined while it is asked. */
  readonly hits: readonly Hit[] | undefined;
  readonly error: unknown;
}

export interface Search {
  readonly groups: readonly Group[];
  /** Whether a kind has not answered yet. */
  readonly isAsking: boolean;
}

/** A key that is followed by another within this time asks nothing. */
const typingMs = 120;

/** Asks for all kinds at once. A further key cancels what is still asked. */
export function useSearch(text: string): Search {
  const { client } = useExplorer();
  const readings = useMemo(() => classify(text), [text]);
  const [state, setState] = useState<{ readings: readonly Reading[]; groups: readonly Group[] }>();
  useEffect(() => {
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      const asked = searchKinds.flatMap(({ title, ask }) => {
        const answer = ask(readings, client, leaving.signal);
        return answer === undefined ? [] : [{ title, answer }];
      });
      setState({ readings, groups: asked.map(({ title }) => ({ title, hits: undefined, error: undefined })) });
      for (const [index, { answer }] of asked.entries()) {
        const put = (change: Pick<Group, 'hits' | 'error'>) => {
          if (leaving.signal.aborted) return;
          setState(
            (former) =>
              former && {
                ...former,
                groups: former.groups.map((group, at) => (at === index ? { ...group, ...change } : group)),
              },
          );
        };
        answer.then(
          (hits) => put({ hits, error: undefined }),
          (error: unknown) => put({ hits: [], error }),
        );
      }
    }, typingMs);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [client, readings]);
  const isCurrent = state?.readings === readings;
  const groups = state?.groups ?? [];
  return {
    groups: readings.length === 0 ? [] : groups,
    isAsking: readings.length > 0 && (!isCurrent || groups.some(({ hits }) => hits === undefined)),
  };
}

/** The one hit that a search means: the only exact one, or else the only one. */
export function meantHit(hits: readonly Hit[]): Hit | undefined {
  const exact = hits.filter(({ isExact }) => isExact);
  const candidates = exact.length > 0 ? exact : hits;
  return candidates.length === 1 ? candidates[0] : undefined;
}
