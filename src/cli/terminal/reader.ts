import { fstatSync } from 'node:fs';
import { watchPipe } from '../child.js';

/**
 * Calls `left` when the reader of stdout is gone, since a command that follows events may write nothing for hours.
 * Works for pipes on Linux; elsewhere the next write fails with EPIPE. The returned function ends the watch.
 */
export function watchReader(left: () => void): () => void {
  const isPipe = process.platform === 'linux' && fstatSync(1).isFIFO();
  return isPipe ? watchPipe(left) : () => undefined;
}
