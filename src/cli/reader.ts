import { close, constants, fstatSync, open } from 'node:fs';

const checkMs = 100;
const stdoutFile = '/proc/self/fd/1';

/**
 * Calls `left` once nobody reads stdout any more. A write would tell (EPIPE), but a command that follows something may have
 * nothing to write for hours. Works for pipes on Linux: opening a pipe for writing fails with ENXIO when it has no reader;
 * elsewhere the next write tells. The returned function ends the watch.
 */
export function watchReader(left: () => void): () => void {
  if (process.platform !== 'linux' || !fstatSync(1).isFIFO()) return () => undefined;
  const timer = setInterval(() => {
    open(stdoutFile, constants.O_WRONLY | constants.O_NONBLOCK, (error, descriptor) => {
      if (error?.code === 'ENXIO') left();
      else if (error === null) close(descriptor);
    });
  }, checkMs);
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}
