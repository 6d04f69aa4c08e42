import { fstatSync } from 'node:fs';
import { watchPipe } from '../child.js';

/**
 * Calls `left` once stdout has no reader any more. A write would fail (EPIPE), but a command that follows events may
 * have nothing to write for hours. Works for pipes on Linux; elsewhere the next write fails. The returned function ends
 * the watch.
 */
export function watchReader(left: () => void): () => void {
  const isPipe = process.platform === 'linux' && fstatSync(1).isFIFO();
  return isPipe ? watchPipe(left) : () => undefined;
}
