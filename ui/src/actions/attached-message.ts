import { textOf } from '../../../src/wire/json/json.js';
import { compact } from '../../../src/wire/json/json-reader.js';
import { namePattern, nameRule, uuidPattern } from '../../../src/wire/scalar.js';
import { option } from './action-texts.js';
import { given, objectText } from './body-text.js';
import { namesIn } from './names-in.js';
import type { Problems } from './problems.js';

/** The message that goes with an operation, as it was entered. Empty fields are left out. */
export interface AttachedMessage {
  /** A value, JSON or plain text. */
  readonly message: string;
  /** Data that this node has, by its id. */
  readonly dataId: string;
  readonly tag: string;
  /** With commas between them. */
  readonly topics: string;
  /** The organisations that may read it, with commas between them; empty: all. */
  readonly readers: string;
}

export const noMessage: AttachedMessage = { message: '', dataId: '', tag: '', topics: '', readers: '' };

/** The types of private messages that go with operations. */
export type PrivateType = 'private' | 'transfer_private' | 'approval_private';

/** Whether a message goes along at all. */
export function hasMessage({ message, dataId }: AttachedMessage): boolean {
  return message.trim() !== '' || dataId !== '';
}

/** The reasons why a message cannot be sent. */
export function judgeMessage(attached: AttachedMessage): Problems<keyof AttachedMessage> {
  if (!hasMessage(attached)) return {};
  const { message, dataId, tag, topics } = attached;
  const badTopic = namesIn(topics).find((topic) => !namePattern.test(topic));
  return {
    ...(isBrokenJson(message) && {
      message: 'This is meant to be JSON, and is not: look at its quotes and commas.',
    }),
    ...(dataId !== '' && !uuidPattern.test(dataId) && { dataId: 'Give the whole id of a data item of this node.' }),
    ...(tag !== '' && !namePattern.test(tag) && { tag: `A tag has ${nameRule}.` }),
    ...(badTopic !== undefined && { topics: `A topic has ${nameRule}; "${badTopic}" does not fit.` }),
  };
}

/** The message as the member of a request; undefined where none goes along. */
export function messageText(attached: AttachedMessage, privateType: PrivateType): string | undefined {
  if (!hasMessage(attached)) return undefined;
  const { message, dataId, tag } = attached;
  const [topics, readers] = [namesIn(attached.topics), namesIn(attached.readers)];
  const isPrivate = readers.length > 0;
  const header = objectText([
    ['type', isPrivate ? textOf(privateType) : undefined],
    ['topics', topics.length === 0 ? undefined : textOf(topics)],
    ['tag', given(tag)],
  ]);
  const value = valueText(message);
  const data = [value === undefined ? [] : `{"value":${value}}`, dataId === '' ? [] : textOf({ id: dataId })].flat();
  return objectText([
    ['header', header === '{}' ? undefined : header],
    ['group', isPrivate ? textOf({ members: readers.map((identity) => ({ identity })) }) : undefined],
    ['data', `[${data.join(',')}]`],
  ]);
}

/** The options of the token commands for a message; undefined where they have none for it. */
export function messageWords(attached: AttachedMessage): readonly string[] | undefined {
  if (attached.dataId !== '') return undefined;
  const value = valueText(attached.message);
  if (value === undefined) return [];
  const { tag, topics, readers } = attached;
  return [
    ...option('--message', value),
    ...(readers === '' ? [] : option('--message-to', namesIn(readers).join(','))),
    ...(tag === '' ? [] : option('--tag', tag)),
    ...namesIn(topics).flatMap((topic) => option('--topic', topic)),
  ];
}

/** Whether a value begins as JSON does and is not JSON; it is hardly meant as text. */
function isBrokenJson(entered: string): boolean {
  return /^\s*[[{"]/.test(entered) && valueText(entered) === textOf(entered);
}

/** JSON as it was entered; any other content as a text. */
function valueText(entered: string): string | undefined {
  if (entered.trim() === '') return undefined;
  try {
    return compact(entered);
  } catch {
    return textOf(entered);
  }
}
