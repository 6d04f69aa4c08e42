import { textOf } from '../../wire/json/json.js';
import { result } from '../terminal/output.js';
import { findStack, type Surroundings } from '../requests/target.js';
import { safe } from '../terminal/text.js';
import { dumpStack } from './dump.js';

export interface DumpWords {
  readonly stack?: string | undefined;
  readonly directory?: string | undefined;
  readonly events: number;
  readonly tar: boolean;
}

/** `stack dump`. @throws StackError STACK_NOT_FOUND, NOT_SELECTED */
export async function writeDump(words: DumpWords, surroundings: Surroundings): Promise<void> {
  const { output } = surroundings;
  const stack = await findStack(words, surroundings);
  const { path, problems } = await dumpStack(stack, {
    directory: words.directory ?? '.',
    events: words.events,
    isTar: words.tar,
  });
  if (output.isJson) await output.json(textOf(result({ name: stack.name, path, problems })));
  else {
    for (const problem of problems) await output.note(`${output.err.paint('yellow', '!')} ${safe(problem)}`);
    await output.line(path);
  }
}
