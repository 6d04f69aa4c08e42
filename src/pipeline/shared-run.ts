/**
 * Lets callers share runs of one piece of work: each call resolves with a run that began after it was made. Runs do not
 * overlap; calls of one turn, and those made while a run is under way, share the next. A run that fails fails for those
 * who share it, and for nobody else.
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
