import type { Output } from './output.js';

/** Interval of the notes. */
const slowMs = 1_000;

/** Prints on stderr what a command waits for, after a second and after each change. The returned function ends that. */
export function noteWhileWaiting(output: Output, missing: () => readonly string[]): () => void {
  let printed = '';
  const timer = setInterval(() => {
    const names = missing().join(', ');
    const text = names === '' ? 'Waiting for the node …' : `Waiting for ${names} …`;
    if (text !== printed) void output.note(text);
    printed = text;
  }, slowMs);
  return () => {
    clearInterval(timer);
  };
}
