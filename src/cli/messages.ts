import type { Client } from '../client/client.js';
import type { Message } from '../wire/message.js';
import { CliError } from './exit.js';
import { safe, shortAuthor } from './text.js';

const minPrefix = 4;
const searched = 1_000;

/**
 * The whole id that a person means by a prefix of at least four characters: of the newest messages, since nodes are
 * not asked for prefixes. A whole id is taken as it is.
 *
 * @throws CliError USAGE when several begin so, or the prefix is too short; NOT_FOUND
 */
export async function resolveMessageId(client: Client, id: string): Promise<string> {
  const wanted = id.toLowerCase();
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(wanted)) return wanted;
  if (wanted.length < minPrefix || !/^[0-9a-f-]+$/.test(wanted)) {
    throw new CliError(
      'USAGE',
      `"${id}" is neither the id of a message nor the first ${minPrefix} or more characters of one.`,
    );
  }
  const { value } = await client.listMessages({ query: { limit: searched } });
  const ids = value.map((message) => message.header.id).filter((candidate) => candidate.startsWith(wanted));
  if (ids.length === 1 && ids[0] !== undefined) return ids[0];
  if (ids.length > 1) {
    throw new CliError('USAGE', `${ids.length} messages begin with ${id}: ${ids.slice(0, 10).join(', ')}.`);
  }
  throw new CliError('NOT_FOUND', `None of the newest ${searched} messages begins with ${id}.`, {
    hint: 'An older one needs its whole id.',
  });
}

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
