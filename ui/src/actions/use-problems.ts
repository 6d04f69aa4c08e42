import { useCallback, useState } from 'react';
import type { Problems } from './problems.js';

export interface ShownProblems<Name extends string> {
  readonly isComplete: boolean;
  /** The problem to show for a field. An empty field has none until the form was submitted. */
  readonly of: (field: Name) => string | undefined;
  readonly tried: () => void;
  /** Forgets that the form was submitted. */
  readonly forget: () => void;
}

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
