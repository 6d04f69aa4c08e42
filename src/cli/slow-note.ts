import type { Output } from './output.js';

/** After this long a person is told what is waited for, and again when that has changed. */
const slowMs = 1_000;

/**
 * Notes on stderr for whom a command still waits, once that takes longer than a moment. The returned function ends it.
 */
export function noteWhileWaiting(output: Output, missing: () => readonly string[]): () => void {
  let said = '';
  const timer = setInterval(() => {
    const names = missing().join(', ');
    const text = names === '' ? 'Waiting for the node …' : `Waiting for ${names} …`;
    if (text !== said) void output.note(text);
    said = text;
  }, slowMs);
  return () => {
    clearInterval(timer);
  };
}
