import { useEffect, useRef, useState } from 'react';

/** A throttled value: changes at most once per `ms`. */
export function usePaced<Value>(value: Value, ms: number): Value {
  const [shown, setShown] = useState(value);
  const shownMs = useRef(-Infinity);
  useEffect(() => {
    if (value === shown) return;
    const show = () => {
      shownMs.current = performance.now();
      setShown(() => value);
    };
    const waitMs = shownMs.current + ms - performance.now();
    if (waitMs <= 0) {
      show();
      return;
    }
    const timer = setTimeout(show, waitMs);
    return () => clearTimeout(timer);
  }, [value, shown, ms]);
  return shown;
}
