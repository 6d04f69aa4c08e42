import type { Output } from '../terminal/output.js';

/** An output whose answers are kept, as JSON; notes go where they would. */
export function captured(output: Output, answers: string[]): Output {
  const keep = (text: string) => {
    answers.push(text);
    return Promise.resolve();
  };
  return { ...output, isJson: true, isQuiet: false, json: keep, record: keep, line: () => Promise.resolve() };
}
