import { useEffect, useState } from 'react';

/** Whether a condition has been true for `ms` without interruption. */
export function useLasting(is: boolean, ms: number): boolean {
  const [has, setHas] = useState(false);
  useEffect(() => {
    if (!is) {
      setHas(false);
      return;
    }
    const timer = setTimeout(() => setHas(true), ms);
    return () => clearTimeout(timer);
  }, [is, ms]);
  return has;
}
