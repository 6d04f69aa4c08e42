import { createContext, type ReactNode, use, useLayoutEffect, useState } from 'react';

/** The errors that a `Failure` on the page shows. */
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

/** Registers an error as shown while the calling component is mounted. */
export function useShown(error: unknown): void {
  const shown = use(ShownErrorsContext);
  // Before the browser paints, so that `OtherFailures` does not show the error too.
  useLayoutEffect(() => shown?.show(error), [shown, error]);
}

/** The registered errors; undefined outside of the provider. */
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
