import { useEffect, useRef } from 'react';

/** Actions by key: one character, a name such as `Escape`, or a sequence of two such as `g m`. */
export type Keys = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const sequenceMs = 1_000;
const switchName = 'single-keys';

export function hasSingleKeys(): boolean {
  return localStorage.getItem(switchName) !== 'off';
}

export function setSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(switchName);
  else localStorage.setItem(switchName, 'off');
}

/** Listens to the keyboard while mounted. Ignores keys with a modifier, and in a field all keys but Escape. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    let first: { key: string; atMs: number } | undefined;
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const isEscape = event.key === 'Escape';
      if (!isEscape && (isField(event.target) || !hasSingleKeys())) return;
      // Dialogs and menus handle Escape themselves.
      if (document.querySelector(isEscape ? 'dialog:modal, :popover-open' : 'dialog:modal') !== null) return;
      const isSecond = first !== undefined && event.timeStamp - first.atMs < sequenceMs;
      const action = (isSecond ? latest.current[`${first?.key} ${event.key}`] : undefined) ?? latest.current[event.key];
      first = { key: event.key, atMs: event.timeStamp };
      action?.(event);
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
}

function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
