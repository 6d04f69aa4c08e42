import type { Message } from '../../../../src/wire/message.js';

/** Whether a message will never change again. */
export function isDecided({ state }: Message): boolean {
  return state !== 'ready' && state !== 'staged';
}

/** The time at which a message was decided, or else made: the time by which the list orders it. */
export function timeOf(message: Message): string {
  return message.confirmed ?? message.rejected ?? message.header.created;
}

/** The order of the node: undecided messages first, newest first. */
export function compareMessages(left: Message, right: Message): number {
  if (isDecided(left) !== isDecided(right)) return isDecided(left) ? 1 : -1;
  const [first, second] = [timeOf(left), timeOf(right)];
  return first < second ? 1 : first > second ? -1 : 0;
}
