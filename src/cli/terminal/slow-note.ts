import type { Output } from './output.js';

/** Delay of the first note, and interval of further ones. */
const slowMs = 1_000;

/** Notes on stderr what a command waits for, once that takes longer than a moment. The returned function ends it. */
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
