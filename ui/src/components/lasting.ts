import { useEffect, useState } from 'react';

/** Whether something has been so for a while. */
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
