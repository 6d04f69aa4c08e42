import { useCallback, useMemo } from 'react';
import { useDraft } from './draft.js';
import { textsOf } from './stored-texts.js';

export interface Fields<Name extends string> {
  readonly values: Readonly<Record<Name, string>>;
  /** Returns a setter for a field. */
  readonly set: (field: Name) => (value: string) => void;
  readonly reset: () => void;
}

/**
 * The fields of a form. They keep their content when the form is closed, until `reset`. `name` identifies the form;
 * `initial` must be the same object at each call.
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
