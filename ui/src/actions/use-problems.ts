import { useCallback, useState } from 'react';
import type { Problems } from './problems.js';

export interface ShownProblems<Name extends string> {
  readonly isComplete: boolean;
  /** The problem of a field to show: of one that is empty only once somebody has tried to send it. */
  readonly of: (field: Name) => string | undefined;
  readonly tried: () => void;
  /** Begins anew: nobody has tried yet. */
  readonly forget: () => void;
}

/** Decides which problems of a form are shown. */
export function useProblems<Name extends string>(
  values: Readonly<Record<Name, string>>,
  problems: Problems<Name>,
): ShownProblems<Name> {
  const [isTried, setTried] = useState(false);
  return {
    isComplete: Object.values(problems).every((each) => each === undefined),
    of: (field) => (values[field] === '' && !isTried ? undefined : problems[field]),
    tried: useCallback(() => setTried(true), []),
    forget: useCallback(() => setTried(false), []),
  };
}
