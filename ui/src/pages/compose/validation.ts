import { useEffect, useState } from 'react';
import type { Validation } from '../../../../src/wire/data/datatype.js';
import { useExplorer } from '../../api/explorer.js';
import { jsonOf } from '../../actions/json-text.js';

/** The result of validating a value against a datatype; `error` if the request failed. */
export type ValidationState =
  | { readonly kind: 'none' }
  | { readonly kind: 'loading' }
  | { readonly kind: 'answer'; readonly validation: Validation }
  | { readonly kind: 'error'; readonly error: unknown };

const pauseMs = 300;

/** Validates a value against a datatype on the node, shortly after its last change. An empty name validates nothing. */
export function useValidation(text: string, name: string, version: string): ValidationState {
  const { client } = useExplorer();
  const [state, setState] = useState<ValidationState>({ kind: 'none' });
  useEffect(() => {
    const value = name === '' ? undefined : jsonOf(text);
    setState((former) => (value === undefined ? { kind: 'none' } : former.kind === 'answer' ? former : loading));
    if (value === undefined) return;
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      client.validateDatatype({ path: { name, version }, body: { value }, signal: leaving.signal }).then(
        ({ value: validation }) => setState({ kind: 'answer', validation }),
        (error: unknown) => {
          if (!leaving.signal.aborted) setState({ kind: 'error', error });
        },
      );
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [client, text, name, version]);
  return state;
}

const loading = { kind: 'loading' } as const;
