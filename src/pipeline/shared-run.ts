/**
 * Combines concurrent calls: each call resolves with a run that began after it. Runs do not overlap; calls made in one
 * turn, or during a run, share the next one. A failure is only seen by the callers that share the run.
 */
export function createSharedRun<R>(run: () => Promise<R>): () => Promise<R> {
  let next: Promise<R> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function start(): Promise<R> {
    next = undefined;
    return run();
  }

  return () => {
    if (next === undefined) {
      next = last.then(start, start);
      last = next;
    }
    return next;
  };
}
