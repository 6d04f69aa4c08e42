import { useEffect, useState } from 'react';
import type { Validation } from '../../../../src/wire/data/datatype.js';
import { useExplorer } from '../../api/explorer.js';
import { jsonOf } from '../../actions/json-text.js';

/** The node's verdict on a value and a datatype; `error` when the node could not be asked. */
export type Verdict =
  | { readonly kind: 'none' }
  | { readonly kind: 'asking' }
  | { readonly kind: 'answer'; readonly validation: Validation }
  | { readonly kind: 'error'; readonly error: unknown };

const pauseMs = 300;

/** Holds a value against a datatype, a moment after its last change. An empty name asks nothing. */
export function useValidation(text: string, name: string, version: string): Verdict {
  const { client } = useExplorer();
  const [verdict, setVerdict] = useState<Verdict>({ kind: 'none' });
  useEffect(() => {
    const value = name === '' ? undefined : jsonOf(text);
    setVerdict((former) => (value === undefined ? { kind: 'none' } : former.kind === 'answer' ? former : asking));
    if (value === undefined) return;
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      client.validateDatatype({ path: { name, version }, body: { value }, signal: leaving.signal }).then(
        ({ value: validation }) => setVerdict({ kind: 'answer', validation }),
        (error: unknown) => {
          if (!leaving.signal.aborted) setVerdict({ kind: 'error', error });
        },
      );
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [client, text, name, version]);
  return verdict;
}

const asking = { kind: 'asking' } as const;
