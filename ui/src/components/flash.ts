import { type RefObject, useEffect, useRef } from 'react';

const durationMs = 600;

/** Highlights an element briefly when a value changes, unless the user prefers reduced motion. */
export function useFlash(element: RefObject<HTMLElement | null>, value: string | undefined): void {
  const before = useRef(value);
  useEffect(() => {
    if (before.current === value) return;
    before.current = value;
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    element.current?.animate([{ backgroundColor: 'var(--selected)' }, { backgroundColor: 'transparent' }], durationMs);
  }, [element, value]);
}
