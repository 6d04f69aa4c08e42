import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';

const helpGroup = 'TARGET';

/** Which stack. */
export const stackFlags = {
  stack: Flags.string({ char: 's', description: 'stack to use; default: the one here, or the only one', helpGroup }),
};

/** Which node and namespace. */
export const targetFlags = {
  ...stackFlags,
  party: Flags.string({ char: 'p', description: 'party whose node to use; default: the first', helpGroup }),
  ns: Flags.string({ description: 'namespace; default: default', helpGroup }),
  url: Flags.string({ description: 'a node anywhere, instead of a party of a stack', helpGroup }),
};

/** How a table is printed. */
export const tableFlags = {
  columns: Flags.string({ description: 'columns to print, separated by commas', helpGroup: 'OUTPUT' }),
  'no-headers': Flags.boolean({ description: 'print no line of column names', helpGroup: 'OUTPUT' }),
};

/** For commands that ask before they destroy. */
export const confirmFlags = {
  yes: Flags.boolean({ char: 'y', description: 'do not ask' }),
  'no-input': Flags.boolean({ description: 'never ask: where an answer is needed, fail' }),
};

/** The limit of a wait, as `durationMs` reads it. */
export function timeoutFlag(initial: string) {
  return Flags.string({ default: initial, description: 'limit for waiting: 500ms, 30s, 2m, 1h; 0 = none' });
}

/** An argument that is never read from stdin when it is missing (cli.md, 21). */
export function argument(description: string) {
  return Args.string({ description, ignoreStdin: true });
}

/** The same, which must be there. */
export function requiredArgument(description: string) {
  return Args.string({ description, ignoreStdin: true, required: true });
}
