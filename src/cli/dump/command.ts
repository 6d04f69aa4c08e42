import type { dumpFlags } from './flags.js';
import type { FlagsOf } from '../flag-types.js';
import { textOf } from '../../wire/json/json.js';
import { result } from '../terminal/output.js';
import { findStack, type CommandContext } from '../requests/target.js';
import { safe } from '../terminal/text.js';
import { dumpStack } from './dump.js';

export type DumpFlags = FlagsOf<typeof dumpFlags> & {
  readonly directory?: string | undefined;
};

/** `stack dump`. @throws StackError STACK_NOT_FOUND, NOT_SELECTED */
export async function writeDump(flags: DumpFlags, context: CommandContext): Promise<void> {
  const { output } = context;
  const stack = await findStack(flags, context);
  const { path, problems } = await dumpStack(stack, {
    directory: flags.directory ?? '.',
    events: flags.events,
    isTar: flags.tar,
  });
  if (output.isJson) await output.json(textOf(result({ name: stack.name, path, problems })));
  else {
    for (const problem of problems) await output.note(`${output.err.paint('yellow', '!')} ${safe(problem)}`);
    await output.line(path);
  }
}
