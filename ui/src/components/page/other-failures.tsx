import { type Query, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useSyncExternalStore } from 'react';
import { UnreachableError } from '../../../../src/client/errors.js';
import { useConnection } from '../../api/explorer.js';
import { isInvalidId, isMissing } from '../../api/missing.js';
import { FailureBox } from './failure.js';
import { useShownErrors } from './shown-errors.js';

const maxShown = 3;

/**
 * The failed reads that no `Failure` on the page shows, such as that of the suggestions of a field. A component needs a
 * `Failure` only if it has a better place for it.
 */
export function OtherFailures() {
  const { connection } = useConnection();
  const failed = useUnshown();
  // Without a connection, the banner already reports unreachable reads.
  const seen = failed.filter(({ error }) => connection === 'live' || !(error instanceof UnreachableError));
  if (seen.length === 0) return null;
  return (
    <>
      {seen.slice(0, maxShown).map(({ query, error }) => (
        <FailureBox key={query.queryHash} error={error} onRetry={() => retry(query)} />
      ))}
      {seen.length > maxShown && <p className="muted">{seen.length - maxShown} more reads failed.</p>}
    </>
  );
}

function retry(query: Query): void {
  // The state of the query has the result, also of a failure.
  query.fetch().catch(() => undefined);
}

interface Failed {
  readonly query: Query;
  readonly error: unknown;
}

/** The failed queries of the page whose error no `Failure` shows. */
function useUnshown(): readonly Failed[] {
  const cache = useQueryClient().getQueryCache();
  const shown = useShownErrors();
  const last = useRef<readonly Failed[]>([]);
  const subscribe = useCallback(
    (listener: () => void) => {
      const leave = [cache.subscribe(listener), shown?.subscribe(listener)];
      return () => {
        for (const each of leave) each?.();
      };
    },
    [cache, shown],
  );
  return useSyncExternalStore(subscribe, () => {
    const failed = cache.findAll({ type: 'active', predicate: ({ state }) => isFailure(state.error) });
    const unshown = failed
      .map((query) => ({ query, error: query.state.error }))
      .filter(({ error }) => shown?.has(error) !== true);
    const isSame =
      unshown.length === last.current.length && unshown.every(({ error }, at) => error === last.current[at]?.error);
    if (!isSame) last.current = unshown;
    return last.current;
  });
}

/** Whether an error is a failure. A missing record is an answer; an invalid id is reported in place of its record. */
function isFailure(error: Error | null): boolean {
  return error !== null && !isMissing(error) && !isInvalidId(error);
}
