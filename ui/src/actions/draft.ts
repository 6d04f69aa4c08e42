import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from 'react';
import { textOf, valueOf } from '../../../src/wire/json/json.js';
import { compact } from '../../../src/wire/json/json-reader.js';
import { useExplorer } from '../api/explorer.js';

const writeMs = 300;

/**
 * State that outlives the page: the content of a form stays in the `sessionStorage` of this tab, for each namespace,
 * until it is set back. `read` makes the state of what was stored, or answers undefined for what it does not know.
 */
export function useDraft<Value>(
  name: string,
  initial: Value,
  read: (stored: unknown) => Value | undefined,
): readonly [Value, Dispatch<SetStateAction<Value>>] {
  const { client } = useExplorer();
  const key = keyOf(client.namespace, name);
  const [value, setValue] = useState(() => stored(key, read) ?? initial);
  const latest = useRef(value);
  latest.current = value;
  useEffect(() => {
    const timer = setTimeout(() => store(key, value), writeMs);
    return () => clearTimeout(timer);
  }, [key, value]);
  useEffect(() => {
    const flush = () => store(key, latest.current);
    addEventListener('pagehide', flush);
    return () => {
      removeEventListener('pagehide', flush);
      flush();
    };
  }, [key]);
  return [value, setValue];
}

/** The draft of another page, as it was kept; undefined where there is none. */
export function keptDraft<Value>(
  namespace: string,
  name: string,
  read: (stored: unknown) => Value | undefined,
): Value | undefined {
  return stored(keyOf(namespace, name), read);
}

/** Keeps a draft for another page, which must not be open. */
export function keepDraft(namespace: string, name: string, value: unknown): void {
  store(keyOf(namespace, name), value);
}

function keyOf(namespace: string, name: string): string {
  return `${namespace} ${name}`;
}

function stored<Value>(key: string, read: (stored: unknown) => Value | undefined): Value | undefined {
  try {
    const text = sessionStorage.getItem(key);
    return text === null ? undefined : read(valueOf(compact(text)));
  } catch {
    return undefined;
  }
}

function store(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(key, textOf(value));
  } catch {
    // There is no room: the form goes on, its content ends with the page.
  }
}
