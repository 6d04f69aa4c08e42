import type { Message } from '../../../../src/wire/messages/message.js';
import type { Progress, Wait } from '../../../../src/wire/messages/progress.js';

/** An undecided message, with its progress. */
export interface InFlight {
  readonly message: Message;
  readonly progress: Progress;
}

/** The undecided messages of a topic, or of a topic within a group, in their order. */
export interface Context {
  readonly key: string;
  readonly topic: string;
  readonly group: string | undefined;
  readonly messages: readonly InFlight[];
  /** The message or batch that blocks the context. */
  readonly head: Head | undefined;
}

/** The head of a context: a message, or a batch of which this node has only the pin. */
export interface Head {
  readonly message: Message | undefined;
  readonly wait: Wait;
}

/** A context whose head waits for an operation of its own node is not blocked, as in the node's status. */
export function stateOf({ head }: Pick<Context, 'head'>): 'in progress' | 'waiting' | 'blocked' {
  if (head === undefined) return 'in progress';
  return head.wait.on === 'operation' ? 'waiting' : 'blocked';
}

/** The contexts of the undecided messages, the one that has waited longest first. */
export function contextsOf(inFlight: readonly InFlight[]): readonly Context[] {
  const contexts = new Map<string, InFlight[]>();
  for (const each of inFlight) {
    for (const topic of each.message.header.topics) {
      const key = `${each.message.header.group ?? ''} ${topic}`;
      contexts.set(key, [...(contexts.get(key) ?? []), each]);
    }
  }
  return [...contexts]
    .map(([key, messages]) => contextOf(key, messages))
    .sort((left, right) => (since(left) < since(right) ? -1 : 1));
}

function contextOf(key: string, messages: readonly InFlight[]): Context {
  const ordered = messages.toSorted((left, right) =>
    left.message.header.created < right.message.header.created ? -1 : 1,
  );
  const [group = '', topic = ''] = [key.slice(0, key.indexOf(' ')), key.slice(key.indexOf(' ') + 1)];
  const context = { key, topic, group: group === '' ? undefined : group, messages: ordered };
  return { ...context, head: headOf(context) };
}

/** The kinds of waits by priority: missing data, then an operation, then another message. */
const kindsOfWaits: readonly (readonly Wait['on'][])[] = [
  ['batch', 'blob', 'definition', 'judgement'],
  ['operation'],
  ['context'],
];

function headOf({ topic, messages }: Pick<Context, 'topic' | 'messages'>): Head | undefined {
  const waits = messages.flatMap(({ message, progress }) => progress.waits.map((wait) => ({ message, wait })));
  const own = waits.filter(({ wait }) => wait.context?.topic === undefined || wait.context.topic === topic);
  for (const kinds of kindsOfWaits) {
    const found = own.find(({ wait }) => kinds.includes(wait.on));
    if (found === undefined) continue;
    const { message, wait } = found;
    const isOther = wait.on === 'batch' && wait.batch !== message.batch;
    return { message: isOther ? undefined : message, wait };
  }
  return undefined;
}

function since({ head, messages }: Context): string {
  return head?.wait.since ?? messages[0]?.message.header.created ?? '';
}
