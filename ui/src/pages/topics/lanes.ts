import type { Message } from '../../../../src/wire/messages/message.js';
import type { Progress, Wait } from '../../../../src/wire/messages/progress.js';

/** A message that is not decided, and why. */
export interface InFlight {
  readonly message: Message;
  readonly progress: Progress;
}

/** The messages of one topic, or of one topic within a group, in their order. */
export interface Lane {
  readonly key: string;
  readonly topic: string;
  readonly group: string | undefined;
  readonly messages: readonly InFlight[];
  /** The message or batch that keeps the lane from moving. */
  readonly head: Head | undefined;
}

/** The first of a lane: a message, or a batch of which this node has no more than the pin. */
export interface Head {
  readonly message: Message | undefined;
  readonly wait: Wait;
}

/** The lanes of the messages that are in flight, the one that has waited longest first. */
export function lanesOf(inFlight: readonly InFlight[]): readonly Lane[] {
  const lanes = new Map<string, InFlight[]>();
  for (const each of inFlight) {
    for (const topic of each.message.header.topics) {
      const key = `${each.message.header.group ?? ''} ${topic}`;
      lanes.set(key, [...(lanes.get(key) ?? []), each]);
    }
  }
  return [...lanes]
    .map(([key, messages]) => laneOf(key, messages))
    .sort((left, right) => (since(left) < since(right) ? -1 : 1));
}

function laneOf(key: string, messages: readonly InFlight[]): Lane {
  const ordered = messages.toSorted((left, right) =>
    left.message.header.created < right.message.header.created ? -1 : 1,
  );
  const [group = '', topic = ''] = [key.slice(0, key.indexOf(' ')), key.slice(key.indexOf(' ') + 1)];
  const lane = { key, topic, group: group === '' ? undefined : group, messages: ordered };
  return { ...lane, head: headOf(lane) };
}

/** The waits of a lane that say most: missing data first, then outside work, then another message. */
const kindsOfWaits: readonly (readonly Wait['on'][])[] = [
  ['batch', 'blob', 'definition', 'judgement'],
  ['operation'],
  ['context'],
];

function headOf({ topic, messages }: Pick<Lane, 'topic' | 'messages'>): Head | undefined {
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

function since({ head, messages }: Lane): string {
  return head?.wait.since ?? messages[0]?.message.header.created ?? '';
}
