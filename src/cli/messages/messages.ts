import type { Message } from '../../wire/message.js';
import { safe, shortAuthor } from '../text.js';

/** The values of a message's data, each as its JSON text, on one line and cut to `maxCharacters`. */
export function valuesOf(message: Message, maxCharacters: number): string {
  const values = message.data.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const line = safe(values.join(' '));
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters - 1)}…` : line;
}

/** `alice` for our own kind of author, safe to show. */
export function authorOf(message: Message): string {
  return safe(shortAuthor(message.header.author));
}
