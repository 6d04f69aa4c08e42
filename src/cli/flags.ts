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
  'auth-file': Flags.string({ description: 'file with user:password or a token for the node', helpGroup }),
};

/** How work that takes long is shown on stderr. */
export const progressFlags = {
  progress: Flags.option({ options: ['auto', 'plain', 'json', 'none'] as const, default: 'auto' })({
    description: 'how progress is shown on stderr',
    helpGroup: 'OUTPUT',
  }),
};

const several = { multiple: true, multipleNonGreedy: true } as const;

/** Until when a command that sends waits. */
export const waitFlags = {
  wait: Flags.option({ options: ['none', 'local', 'all'] as const, description: 'who must have confirmed' })(),
  'no-wait': Flags.boolean({ description: 'the same as --wait none', exclusive: ['wait'] }),
  timeout: timeoutFlag('30s'),
};

/** Who signs. */
export const authorFlags = {
  author: Flags.string({ description: 'DID, organisation or key of this node' }),
  key: Flags.string({ description: 'signing key of this node' }),
};

/** Everything that `broadcast` and `send` have in common (cli.md, 9). */
export const sendFlags = {
  ...targetFlags,
  data: Flags.string({ ...several, char: 'd', description: 'one more value, like PAYLOAD' }),
  text: Flags.string({ ...several, description: 'one more value: this string as it is' }),
  file: Flags.string({ ...several, char: 'f', description: 'a file of any size, - for stdin; may be repeated' }),
  'data-id': Flags.string({ ...several, description: 'data that the node holds already, by its id' }),
  datatype: Flags.string({ description: 'name@version that every value must conform to' }),
  autometa: Flags.boolean({ allowNo: true, default: true, description: 'describe files by name, type and size' }),
  tag: Flags.string({ description: 'what the message is for' }),
  topic: Flags.string({ ...several, description: 'ordering context; may be repeated' }),
  ...authorFlags,
  ...waitFlags,
  idempotent: Flags.string({ description: 'key that makes a repetition find the first message' }),
  'dry-run': Flags.boolean({ description: 'print the request, send nothing' }),
  curl: Flags.boolean({ description: 'print the request as a curl command, send nothing' }),
  ...progressFlags,
  lines: Flags.boolean({ description: 'a message for each line of stdin that is not empty', helpGroup: 'MANY' }),
  count: Flags.integer({ min: 1, max: 10_000_000, description: 'how many messages', helpGroup: 'MANY' }),
  expand: Flags.boolean({ description: 'replace {{…}} without --count too', helpGroup: 'MANY' }),
  rate: Flags.string({ description: 'pace, such as 10/s', helpGroup: 'MANY' }),
  concurrency: Flags.integer({ min: 1, max: 1_000, default: 1, description: '1 keeps the order', helpGroup: 'MANY' }),
  'keep-going': Flags.boolean({ description: 'go on after a failure', helpGroup: 'MANY' }),
};

/** Of a mint, a transfer or a burn: of which pool, and the message that goes with it (cli.md, 9.3). */
export const tokenFlags = {
  ...targetFlags,
  pool: Flags.string({ description: 'name or id of the pool; default: the only one' }),
  key: Flags.string({ description: "signing key of this node; default: the organisation's" }),
  message: Flags.string({ ...several, description: 'JSON, text, @FILE or - to send with it', helpGroup: 'MESSAGE' }),
  'message-file': Flags.string({ ...several, description: 'a file to send with it', helpGroup: 'MESSAGE' }),
  'message-to': Flags.string({
    ...several,
    description: 'whom the message is for; several with commas; default: all parties',
    helpGroup: 'MESSAGE',
  }),
  tag: Flags.string({ description: 'what the message is for', helpGroup: 'MESSAGE' }),
  topic: Flags.string({ ...several, description: 'its ordering context; may be repeated', helpGroup: 'MESSAGE' }),
  ...waitFlags,
  idempotent: Flags.string({ description: 'key that makes a repetition find the first operation' }),
  'dry-run': Flags.boolean({ description: 'print the request, send nothing' }),
  curl: Flags.boolean({ description: 'print the request as a curl command, send nothing' }),
  ...progressFlags,
};

/** Which of the tokens of a non-fungible pool. */
export const tokenIndexFlag = {
  'token-index': Flags.string({ description: 'which token of a non-fungible pool; AMOUNT is then 1' }),
};

const expression = (description: string) => Flags.string({ description, helpGroup: 'FILTER' });

/** Which events are followed, from where, and until when (cli.md, 11). */
export const followFlags = {
  ...targetFlags,
  'all-parties': Flags.boolean({
    ...{ description: 'merge the events of every party', exclusive: ['party', 'url'], helpGroup: 'TARGET' },
  }),
  type: expression('type of the event'),
  tag: expression('tag of the message'),
  topic: expression('any topic of the message'),
  author: expression('author of the message (a DID)'),
  group: expression('group of the message (its hash)'),
  since: Flags.string({
    ...{ description: 'newest, oldest, 5m, a time, or the sequence of the last one seen', helpGroup: 'START' },
  }),
  durable: Flags.string({ description: 'attach to the subscription of this name', helpGroup: 'DURABLE' }),
  create: Flags.boolean({
    ...{ dependsOn: ['durable'], helpGroup: 'DURABLE' },
    description: 'make that subscription, of the filters and --since, where there is none',
  }),
  count: Flags.integer({ min: 1, description: 'leave after so many events' }),
  timeout: Flags.string({ default: '0', description: 'leave with exit code 5 after 30s, 5m, …; 0 = never' }),
  'no-reconnect': Flags.boolean({ description: 'leave with exit code 4 when the connection is lost' }),
};

/** Which records of a list, and how many. */
export const listFlags = {
  filter: Flags.string({
    ...several,
    description: "field=value in the node's query syntax; may be repeated",
    helpGroup: 'FILTER',
  }),
  limit: Flags.integer({ min: 0, max: 1_000, default: 25, description: 'how many at most' }),
  skip: Flags.integer({ min: 0, max: 100_000, default: 0, description: 'how many to pass over' }),
  all: Flags.boolean({ description: 'all of them, however many', exclusive: ['limit', 'skip'] }),
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

/** A limit for a start, which has it anew whenever a service says how far it is. */
export const startTimeoutFlag = Flags.string({
  default: '60s',
  description: 'limit for waiting while nothing gets further: 30s, 2m; 0 = none',
});

/** An argument that is never read from stdin when it is missing (cli.md, 21). */
export function argument(description: string) {
  return Args.string({ description, ignoreStdin: true });
}

/** The same, which must be there. */
export function requiredArgument(description: string) {
  return Args.string({ description, ignoreStdin: true, required: true });
}
