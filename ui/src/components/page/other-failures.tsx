import { type Query, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useSyncExternalStore } from 'react';
import { UnreachableError } from '../../../../src/client/errors.js';
import { useConnection } from '../../api/explorer.js';
import { isMissing } from '../../api/missing.js';
import { FailureBox } from './failure.js';
import { useShownErrors } from './shown-errors.js';

const maxShown = 3;

/**
 * The failed reads of the page that no part of it shows, such as a list of names in a form. With it, no read can fail
 * unseen, and a part shows a failure itself only where it has a better place for it.
 */
export function OtherFailures() {
  const { connection } = useConnection();
  const failed = useUnshown();
  // The banner says that the node is away.
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
  // Its outcome, also a failure, is in the state of the query.
  query.fetch().catch(() => undefined);
}

interface Failed {
  readonly query: Query;
  readonly error: unknown;
}

/** The queries of the page whose last read failed, and whose error no `Failure` shows. */
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

/** A record that this node does not have is an answer; a part for which it matters shows it. */
function isFailure(error: Error | null): boolean {
  return error !== null && !isMissing(error);
}
