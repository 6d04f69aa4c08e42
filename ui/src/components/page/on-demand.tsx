import { type ComponentType, useEffect, useState } from 'react';
import { Skeleton } from './skeleton.js';

/** The code of a component could not be fetched. The message is the browser's. */
export class CodeNotFetchedError extends Error {
  override readonly name = 'CodeNotFetchedError';

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** A component whose code is not in the first script. */
export interface OnDemand {
  readonly Component: ComponentType;
  /** Fetches the code before anybody asks for the component. */
  readonly fetchCode: () => Promise<void>;
}

/**
 * Makes a component of code that is fetched when the component is first shown, and drawn at once where it is here. The
 * code comes within some milliseconds; a Suspense boundary would hold the page back for 300 more, because it never
 * replaces its fallback sooner. An attempt that fails throws a CodeNotFetchedError to the boundary around it. Chromium
 * remembers which code it could not fetch for as long as the document is open: only a reload fetches it again.
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
