import { textOf } from '../../wire/json/json.js';
import { type Output, result } from './output.js';

/** Prints the result of a command: as JSON, as text, or only its main value; an empty one prints nothing. */
export async function answer(
  output: Output,
  members: Readonly<Record<string, unknown>>,
  text: string,
  primary = '',
): Promise<void> {
  if (output.isJson) await output.json(textOf(result(members)));
  else if (!output.isQuiet) await output.line(text);
  else if (primary !== '') await output.line(primary);
}
