import { type RefObject, useEffect, useRef } from 'react';

const durationMs = 600;

/** Shows for a moment that a value has changed; never for its first, and not where motion is unwanted. */
export function useFlash(element: RefObject<HTMLElement | null>, value: string | undefined): void {
  const before = useRef(value);
  useEffect(() => {
    if (before.current === value) return;
    before.current = value;
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    element.current?.animate([{ backgroundColor: 'var(--selected)' }, { backgroundColor: 'transparent' }], durationMs);
  }, [element, value]);
}
