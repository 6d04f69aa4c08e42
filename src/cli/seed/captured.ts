import type { Output } from '../terminal/output.js';

/** An output that appends its answers, as JSON, to a list. Notes are printed. */
export function captured(output: Output, answers: string[]): Output {
  const keep = (text: string) => {
    answers.push(text);
    return Promise.resolve();
  };
  return { ...output, isJson: true, isQuiet: false, json: keep, record: keep, line: () => Promise.resolve() };
}
