import type { DataInput } from '../../../wire/data/data.js';
import { textOf } from '../../../wire/json/json.js';
import type { BroadcastRequest, PrivateRequest } from '../../../wire/messages/message.js';
import type { DatatypeName } from '../../datatypes/name.js';
import { expand } from '../listing/expand.js';
import { payloadValue } from '../../requests/payload.js';

/** An item of a message: a value as typed, with unexpanded placeholders, or the id of data at the node. */
export type RequestItem =
  | {
      readonly text: string;
      /** Whether it is sent as a string even if it is JSON (`--text`). */
      readonly isString: boolean;
      /** The line number, for a line of stdin. */
      readonly line?: number;
    }
  | { readonly id: string };

/** The pattern of all messages of one command. */
export interface RequestPattern {
  readonly items: readonly RequestItem[];
  /** The datatype that every value must conform to. */
  readonly datatype: DatatypeName | undefined;
  readonly tag: string | undefined;
  readonly topics: readonly string[];
  readonly author: string | undefined;
  readonly key: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** Whether `{{n}}` and other placeholders are replaced. */
  readonly isExpanding: boolean;
  /** Undefined for a broadcast. */
  readonly recipients: Recipients | undefined;
}

/** The recipients of a private message. */
export interface Recipients {
  /** The members besides the author, in the node's form, or the hash of a group. */
  readonly to: readonly string[] | { readonly hash: string };
  /** Sent with `txtype: none`. */
  readonly isUnpinned: boolean;
}

/** Builds the body of message number `n`, from 1. @throws CliError USAGE for a payload that is not valid JSON */
export function buildRequest(pattern: RequestPattern, n: number): BroadcastRequest & PrivateRequest {
  const fill = (text: string) => (pattern.isExpanding ? expand(text, n) : text);
  const { tag, topics, author, key, idempotencyKey, recipients } = pattern;
  const header = {
    ...(recipients?.isUnpinned === true ? { txtype: 'none' } : {}),
    ...(author === undefined ? {} : { author }),
    ...(key === undefined ? {} : { key }),
    ...(topics.length === 0 ? {} : { topics: topics.map(fill) }),
    ...(tag === undefined ? {} : { tag: fill(tag) }),
  };
  return {
    ...(Object.keys(header).length === 0 ? {} : { header }),
    ...(recipients === undefined ? {} : { group: groupOf(recipients.to) }),
    data: pattern.items.map((item) => inputOf(item, pattern.datatype, fill)),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey: fill(idempotencyKey) }),
  };
}

function groupOf(to: Recipients['to']) {
  return 'hash' in to ? to.hash : { members: to.map((identity) => ({ identity })) };
}

function inputOf(item: RequestItem, datatype: DatatypeName | undefined, fill: (text: string) => string): DataInput {
  if ('id' in item) return { id: item.id };
  const value = item.isString ? textOf(fill(item.text)) : payloadValue(fill(item.text), item.line);
  return datatype === undefined ? { value } : { datatype, value };
}
