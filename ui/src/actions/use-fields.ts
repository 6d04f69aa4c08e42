import { useCallback, useMemo } from 'react';
import { useDraft } from './draft.js';
import { textsOf } from './stored-texts.js';

/** The content of a form, by the names of its fields. */
export interface Fields<Name extends string> {
  readonly values: Readonly<Record<Name, string>>;
  /** Makes the function that sets the content of a field. */
  readonly set: (field: Name) => (value: string) => void;
  readonly reset: () => void;
}

/**
 * The fields of a form, which keep what was entered when the form is closed, until it is set back. `name` tells forms
 * apart; `initial` is the same object at each call.
 */
export function useFields<Name extends string>(name: string, initial: Readonly<Record<Name, string>>): Fields<Name> {
  const read = (stored: unknown) => ({ ...initial, ...Object.fromEntries(textsOf(stored)) });
  const [values, setValues] = useDraft<Readonly<Record<Name, string>>>(name, initial, read);
  const set = useCallback(
    (field: Name) => (value: string) => setValues((former) => ({ ...former, [field]: value })),
    [setValues],
  );
  const reset = useCallback(() => setValues(initial), [setValues, initial]);
  return useMemo(() => ({ values, set, reset }), [values, set, reset]);
}
