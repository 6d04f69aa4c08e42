import { expand } from './expand.js';
import type { BroadcastRequest } from '../wire/message.js';
import { textOf } from '../wire/json.js';
import { payloadValue } from './payload.js';

/** A value as its words were typed, before placeholders are expanded. */
export interface ValueText {
  readonly text: string;
  /** A string, whatever it looks like (`--text`). */
  readonly isString: boolean;
}

/** What all messages of one command have in common. */
export interface RequestPattern {
  readonly values: readonly ValueText[];
  readonly tag: string | undefined;
  readonly topics: readonly string[];
  readonly author: string | undefined;
  readonly key: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** Whether `{{n}}` and its like are replaced. */
  readonly isExpanding: boolean;
}

/** The body of broadcast number `n`, counted from 1. @throws CliError USAGE for a payload that is not valid JSON */
export function buildRequest(pattern: RequestPattern, n: number): BroadcastRequest {
  const fill = (text: string) => (pattern.isExpanding ? expand(text, n) : text);
  const { tag, topics, author, key, idempotencyKey } = pattern;
  const header = {
    ...(author === undefined ? {} : { author }),
    ...(key === undefined ? {} : { key }),
    ...(topics.length === 0 ? {} : { topics: topics.map(fill) }),
    ...(tag === undefined ? {} : { tag: fill(tag) }),
  };
  const data = pattern.values.map(({ text, isString }) => ({
    value: isString ? textOf(fill(text)) : payloadValue(fill(text)),
  }));
  return {
    ...(Object.keys(header).length === 0 ? {} : { header }),
    data,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey: fill(idempotencyKey) }),
  };
}
