import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';

const helpGroup = 'TARGET';

export const stackFlags = {
  stack: Flags.string({
    char: 's',
    description: 'stack to use; default: that of this directory, or the only one',
    helpGroup,
  }),
};

export const targetFlags = {
  ...stackFlags,
  party: Flags.string({ char: 'p', description: 'party whose node is used; default: the first', helpGroup }),
  ns: Flags.string({ description: 'namespace; default: default', helpGroup }),
  url: Flags.string({ description: 'URL of a node, instead of a party of a stack', helpGroup }),
  'auth-file': Flags.string({ description: 'file with user:password or a token for the node', helpGroup }),
  ca: Flags.string({ description: 'file with the CA certificate for the node of --url', helpGroup }),
};

export const progressFlags = {
  progress: Flags.option({ options: ['auto', 'plain', 'json', 'none'] as const, default: 'auto' })({
    description: 'how progress is shown on stderr',
    helpGroup: 'OUTPUT',
  }),
};

/** Refuses an empty value, such as that of an unset variable. A node would take it for an absent one. */
export const filled = {
  parse: (value: string) => {
    if (value === '') throw new Error('is empty');
    return Promise.resolve(value);
  },
};

const several = { multiple: true, multipleNonGreedy: true } as const;

export const waitFlags = {
  wait: Flags.option({
    options: ['none', 'local', 'all'] as const,
    description: 'which parties must have confirmed',
  })(),
  'no-wait': Flags.boolean({ description: 'same as --wait none', exclusive: ['wait'] }),
  timeout: timeoutFlag('30s'),
};

export const authorFlags = {
  author: Flags.string({ ...filled, description: 'DID, organisation or key of this node' }),
  key: Flags.string({ description: 'signing key of this node, or its owner' }),
};

/** The common flags of `broadcast` and `send` (docs/operations.md §11.6). */
export const sendFlags = {
  ...targetFlags,
  data: Flags.string({ ...several, char: 'd', description: 'another value, like PAYLOAD' }),
  text: Flags.string({ ...several, description: 'another value: this string' }),
  file: Flags.string({ ...several, char: 'f', description: 'file of any size, - for stdin; may be repeated' }),
  'data-id': Flags.string({ ...several, description: 'id of data that the node has already' }),
  datatype: Flags.string({ description: 'name@version that every value must conform to' }),
  autometa: Flags.boolean({
    allowNo: true,
    default: true,
    description: 'add name, type and size of files to the value',
  }),
  tag: Flags.string({ ...filled, description: 'tag of the message' }),
  topic: Flags.string({ ...several, description: 'topic (ordering context); may be repeated' }),
  ...authorFlags,
  ...waitFlags,
  idempotent: Flags.string({ ...filled, description: 'idempotency key: a repetition returns the first message' }),
  'dry-run': Flags.boolean({ description: 'print the request, send nothing' }),
  curl: Flags.boolean({ description: 'print the request as a curl command, send nothing' }),
  ...progressFlags,
  lines: Flags.boolean({ description: 'send a message for each non-empty line of stdin', helpGroup: 'MANY' }),
  count: Flags.integer({ min: 1, max: 10_000_000, description: 'number of messages', helpGroup: 'MANY' }),
  expand: Flags.boolean({ description: 'replace {{…}} also without --count', helpGroup: 'MANY' }),
  rate: Flags.string({ description: 'maximum rate, such as 10/s', helpGroup: 'MANY' }),
  concurrency: Flags.integer({
    min: 1,
    max: 1_000,
    default: 1,
    description: 'number of parallel requests; only 1 keeps the order',
    helpGroup: 'MANY',
  }),
  'keep-going': Flags.boolean({ description: 'continue after a failure', helpGroup: 'MANY' }),
};

/** Flags of a mint, transfer or burn: the pool, and the attached message (docs/operations.md §11.6). */
export const tokenFlags = {
  ...targetFlags,
  pool: Flags.string({ description: 'name or id of the pool; default: the only one' }),
  key: Flags.string({ description: "signing key of this node, or its owner; default: the organisation's" }),
  message: Flags.string({ ...several, description: 'JSON, text, @FILE or - to send with it', helpGroup: 'MESSAGE' }),
  'message-file': Flags.string({ ...several, description: 'file to send with it', helpGroup: 'MESSAGE' }),
  'message-to': Flags.string({
    ...several,
    description: 'recipients of the message, comma-separated; default: all parties',
    helpGroup: 'MESSAGE',
  }),
  tag: Flags.string({ ...filled, description: 'tag of the message', helpGroup: 'MESSAGE' }),
  topic: Flags.string({ ...several, description: 'topic (ordering context); may be repeated', helpGroup: 'MESSAGE' }),
  ...waitFlags,
  idempotent: Flags.string({ ...filled, description: 'idempotency key: a repetition returns the first operation' }),
  'dry-run': Flags.boolean({ description: 'print the request, send nothing' }),
  curl: Flags.boolean({ description: 'print the request as a curl command, send nothing' }),
  ...progressFlags,
};

export const tokenIndexFlag = {
  'token-index': Flags.string({ description: 'index of the token in a non-fungible pool; AMOUNT is then 1' }),
};

const expression = (description: string) => Flags.string({ description, helpGroup: 'FILTER' });

/** Selects the followed events, and where to start and end (docs/operations.md §11.7). */
export const followFlags = {
  ...targetFlags,
  'all-parties': Flags.boolean({
    description: 'merge the events of every party',
    exclusive: ['party', 'url'],
    helpGroup: 'TARGET',
  }),
  type: expression('type of the event'),
  tag: expression('tag of the message'),
  topic: expression('one of the topics of the message'),
  author: expression('author of the message (a DID)'),
  group: expression('group of the message (its hash)'),
  since: Flags.string({
    description: 'newest, oldest, 5m, a time, or the last sequence seen',
    helpGroup: 'START',
  }),
  durable: Flags.string({ description: 'attach to the subscription of this name', helpGroup: 'DURABLE' }),
  create: Flags.boolean({
    dependsOn: ['durable'],
    helpGroup: 'DURABLE',
    description: 'create the subscription from the filters and --since if it is missing',
  }),
  count: Flags.integer({ min: 1, description: 'exit after this number of events' }),
  timeout: Flags.string({ default: '0', description: 'exit with code 5 after 30s, 5m, …; 0 = never' }),
  'no-reconnect': Flags.boolean({ description: 'exit with code 4 when the connection is lost' }),
};

export const listFlags = {
  filter: Flags.string({
    ...several,
    description: "field=value in the node's query syntax; may be repeated",
    helpGroup: 'FILTER',
  }),
  limit: Flags.integer({ min: 0, max: 1_000, default: 25, description: 'maximum number of entries' }),
  skip: Flags.integer({ min: 0, max: 100_000, default: 0, description: 'number of entries to skip' }),
  all: Flags.boolean({ description: 'all entries', exclusive: ['limit', 'skip'] }),
};

export const faultFlags = {
  ...stackFlags,
  for: Flags.string({
    description: 'end the fault after 30s, 5m, …; default: when it is cleared or the stack stops',
  }),
};

export const linkFlags = { 'one-way': Flags.boolean({ description: 'affect only the direction from A to B' }) };

export const tableFlags = {
  columns: Flags.string({ description: 'columns to print, comma-separated', helpGroup: 'OUTPUT' }),
  'no-headers': Flags.boolean({ description: 'omit the column names', helpGroup: 'OUTPUT' }),
};

export const confirmFlags = {
  yes: Flags.boolean({ char: 'y', description: 'do not ask' }),
  'no-input': Flags.boolean({ description: 'never ask; fail where an answer is needed' }),
};

/** The timeout flag, as `durationMs` parses it. */
export function timeoutFlag(initial: string) {
  return Flags.string({ default: initial, description: 'time limit: 500ms, 30s, 2m, 1h; 0 = none' });
}

export const startDefaults = { timeout: '60s', progress: 'auto' } as const;

/** The timeout of a start, which restarts whenever a service reports progress. */
export const startTimeoutFlag = Flags.string({
  default: startDefaults.timeout,
  description: 'time limit without progress: 30s, 2m; 0 = none',
});

/** The flags of a start where `--start` is optional. Without defaults, so that they are refused without `--start`. */
export const optionalStartFlags = {
  timeout: Flags.string({
    description: `with --start: time limit without progress: 30s, 2m; 0 = none; default: ${startDefaults.timeout}`,
    dependsOn: ['start'],
  }),
  progress: Flags.option({ options: ['auto', 'plain', 'json', 'none'] as const })({
    description: 'with --start: how progress is shown on stderr; default: auto',
    helpGroup: 'OUTPUT',
    dependsOn: ['start'],
  }),
};

/** An argument that is never read from stdin if it is missing (docs/operations.md §11.5). */
export function argument(description: string) {
  return Args.string({ description, ignoreStdin: true });
}

/** A required argument, which is never read from stdin either. */
export function requiredArgument(description: string) {
  return Args.string({ description, ignoreStdin: true, required: true });
}

/** Selects a method of a contract API; the arguments of the method follow. */
export const methodArguments = {
  NAME: requiredArgument('name of the contract API'),
  METHOD: requiredArgument('name of the method, or open_1 if several have the name open'),
};
