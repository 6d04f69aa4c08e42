import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from 'react';
import { textOf, valueOf } from '../../../src/wire/json/json.js';
import { compact } from '../../../src/wire/json/json-reader.js';
import { useExplorer } from '../api/explorer.js';

const writeMs = 300;

/**
 * The state of a form, kept in `sessionStorage` per tab and namespace until it is reset. `read` converts the stored
 * value, and returns undefined if it is invalid.
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

/** Reads the stored draft of another page; undefined if there is none. */
export function keptDraft<Value>(
  namespace: string,
  name: string,
  read: (stored: unknown) => Value | undefined,
): Value | undefined {
  return stored(keyOf(namespace, name), read);
}

/** Stores a draft for another page, which must not be open. */
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
    // The storage is full or disabled: the form works, but its content is lost with the page.
  }
}
