import { type ComponentType, useEffect, useState } from 'react';
import { Skeleton } from './skeleton.js';

/** The code of a component could not be loaded. The message is the browser's. */
export class CodeNotFetchedError extends Error {
  override readonly name = 'CodeNotFetchedError';

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** A component whose code is loaded separately. */
export interface OnDemand {
  readonly Component: ComponentType;
  /** Loads the code ahead of the first render. */
  readonly fetchCode: () => Promise<void>;
}

/**
 * Creates a component whose code is loaded on its first render. It does not use Suspense, which would show its fallback
 * for at least 300 ms, while the code usually loads within a few. If loading fails, it throws a CodeNotFetchedError
 * during render. Chromium caches failed imports for the lifetime of the document, so only a reload tries again.
 */
export function onDemand(load: () => Promise<ComponentType>, skeletonRows = 8): OnDemand {
  let Loaded: ComponentType | undefined;
  const fetchCode = async () => {
    Loaded ??= await load();
  };
  function Component() {
    const [failure, setFailure] = useState<CodeNotFetchedError | undefined>(undefined);
    const [isHere, setHere] = useState(Loaded !== undefined);
    useEffect(() => {
      if (isHere) return;
      let isLeft = false;
      fetchCode().then(
        () => isLeft || setHere(true),
        (error: unknown) => isLeft || setFailure(new CodeNotFetchedError(error)),
      );
      return () => {
        isLeft = true;
      };
    }, [isHere]);
    if (failure !== undefined) throw failure;
    if (isHere && Loaded !== undefined) return <Loaded />;
    return skeletonRows === 0 ? null : <Skeleton rows={skeletonRows} />;
  }
  return { Component, fetchCode };
}
