import { textOf } from '../../../src/wire/json/json.js';
import { compact } from '../../../src/wire/json/json-reader.js';
import { namePattern, nameRule, uuidPattern } from '../../../src/wire/scalar.js';
import { option } from './action-texts.js';
import { given, objectText } from './body-text.js';
import { namesIn } from './names-in.js';
import type { Problems } from './problems.js';

/** The input for a message attached to an operation. Empty fields are not sent. */
export interface AttachedMessage {
  /** JSON or plain text. */
  readonly message: string;
  /** Id of a data item that this node has. */
  readonly dataId: string;
  readonly tag: string;
  /** Separated by commas. */
  readonly topics: string;
  /** Names of the recipients, separated by commas; empty: all parties. */
  readonly readers: string;
}

export const noMessage: AttachedMessage = { message: '', dataId: '', tag: '', topics: '', readers: '' };

/** The types of private messages that can be attached to operations. */
export type PrivateType = 'private' | 'transfer_private' | 'approval_private';

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
      message: 'This looks like JSON but is not valid: check quotes and commas.',
    }),
    ...(dataId !== '' && !uuidPattern.test(dataId) && { dataId: 'Enter the full id of a data item on this node.' }),
    ...(tag !== '' && !namePattern.test(tag) && { tag: `A tag has ${nameRule}.` }),
    ...(badTopic !== undefined && { topics: `"${badTopic}" is not a valid topic: a topic has ${nameRule}.` }),
  };
}

/** The JSON of the message for the request; undefined if there is none. */
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

/** The options of the token commands for a message; undefined if they cannot express it. */
export function messageFlags(attached: AttachedMessage): readonly string[] | undefined {
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

/** Whether a value begins like JSON but is not valid JSON, so that it is hardly meant as text. */
function isBrokenJson(entered: string): boolean {
  return /^\s*[[{"]/.test(entered) && valueText(entered) === textOf(entered);
}

/** Valid JSON unchanged; any other input as a JSON string. */
function valueText(entered: string): string | undefined {
  if (entered.trim() === '') return undefined;
  try {
    return compact(entered);
  } catch {
    return textOf(entered);
  }
}
