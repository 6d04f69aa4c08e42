import { createContext, type ReactNode, use, useLayoutEffect, useState } from 'react';

/** The errors that parts of the page show in their place, and how many parts show each. */
interface ShownErrors {
  show(error: unknown): () => void;
  has(error: unknown): boolean;
  subscribe(listener: () => void): () => void;
}

const ShownErrorsContext = createContext<ShownErrors | undefined>(undefined);

export function ShownErrorsProvider({ children }: { readonly children: ReactNode }) {
  const [shown] = useState(createShownErrors);
  return <ShownErrorsContext value={shown}>{children}</ShownErrorsContext>;
}

/** Notes that an error is shown as long as the calling part is in the page. */
export function useShown(error: unknown): void {
  const shown = use(ShownErrorsContext);
  // Before the browser paints, so that nothing else shows the error for a moment.
  useLayoutEffect(() => shown?.show(error), [shown, error]);
}

/** The errors that are shown; undefined outside of the pages. */
export function useShownErrors(): ShownErrors | undefined {
  return use(ShownErrorsContext);
}

function createShownErrors(): ShownErrors {
  const counts = new Map<unknown, number>();
  const listeners = new Set<() => void>();
  const change = (error: unknown, by: number) => {
    const count = (counts.get(error) ?? 0) + by;
    if (count === 0) counts.delete(error);
    else counts.set(error, count);
    for (const listener of listeners) listener();
  };
  return {
    show(error) {
      change(error, 1);
      return () => change(error, -1);
    },
    has: (error) => counts.has(error),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
