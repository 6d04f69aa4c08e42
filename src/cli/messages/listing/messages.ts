import type { Message } from '../../../wire/messages/message.js';
import { safe, shortAuthor } from '../../terminal/text.js';

/** The values of a message's data as JSON texts, on one line and cut to `maxCharacters`. */
export function valuesOf(message: Message, maxCharacters: number): string {
  const values = message.data.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const line = safe(values.join(' '));
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters - 1)}…` : line;
}

/** The short name of a message's author, escaped. */
export function authorOf(message: Message): string {
  return safe(shortAuthor(message.header.author));
}
