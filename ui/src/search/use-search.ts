import { useEffect, useMemo, useState } from 'react';
import { useExplorer } from '../api/explorer.js';
import { classify, type Reading } from './classify.js';
import { searchKinds } from './kinds.js';
import type { Hit } from './lookup.js';

export interface Group {
  readonly title: string;
  /** Undefined while loading. */
  readonly hits: readonly Hit[] | undefined;
  readonly error: unknown;
}

export interface Search {
  readonly groups: readonly Group[];
  /** Whether a kind is still loading. */
  readonly isAsking: boolean;
}

/** The delay after the last keystroke before the search starts. */
const typingMs = 120;

/** Searches all kinds at the same time. A change of the text cancels the requests in progress. */
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

/** The hit that Enter opens: the only exact one, otherwise the only one. */
export function meantHit(hits: readonly Hit[]): Hit | undefined {
  const exact = hits.filter(({ isExact }) => isExact);
  const candidates = exact.length > 0 ? exact : hits;
  return candidates.length === 1 ? candidates[0] : undefined;
}
