import type { Message } from '../wire/message.js';
import { authorOf, valuesOf } from './messages.js';
import type { Output } from './output.js';
import { type Column, printTable, type TableOptions } from './table.js';
import { age, safe, shortId } from './text.js';

/** Messages as a table: short ids and ages on a terminal, whole ids and ISO times elsewhere. */
export async function printMessages(
  output: Output,
  messages: readonly Message[],
  options: TableOptions & { readonly hasData: boolean },
): Promise<void> {
  const nowMs = Date.now();
  const columns: Column<Message>[] = [
    { name: 'id', text: ({ header }, isTerminal) => (isTerminal ? shortId(header.id) : header.id) },
    { name: 'type', text: ({ header }) => safe(header.type) },
    { name: 'author', text: authorOf },
    { name: 'tag', text: ({ header }) => safe(header.tag ?? '') },
    { name: 'topics', text: ({ header }) => safe(header.topics.join(',')) },
    { name: 'state', text: ({ state }) => safe(state) },
    { name: 'age', text: ({ header }, isTerminal) => (isTerminal ? age(header.created, nowMs) : safe(header.created)) },
    { name: 'data', text: (message) => valuesOf(message, Number.POSITIVE_INFINITY) },
  ];
  await printTable(
    output,
    messages,
    options.hasData ? columns : columns.filter(({ name }) => name !== 'data'),
    options,
  );
}

/** One message whole, for a person: its header, what pinned it, its values. */
export function messageText(message: Message): string {
  const { header } = message;
  const rows: (readonly [string, string | undefined])[] = [
    ['id', header.id],
    ['state', message.state],
    ['reason', message.rejectReason],
    ['confirmed', message.confirmed],
    ['created', header.created],
    ['type', `${header.type}, ${header.txtype}`],
    ['author', header.author],
    ['key', header.key],
    ['namespace', header.namespace],
    ['topics', header.topics.join(', ')],
    ['tag', header.tag],
    ['hash', message.hash],
    ['batch', message.batch],
    ['pins', message.pins?.join(', ')],
    ...message.data.map(({ id, value }) => ['data', value === undefined ? id : `${shortId(id)}  ${value}`] as const),
  ];
  const known = rows.filter(([, text]) => text !== undefined && text !== '');
  return known.map(([name, text]) => `${name.padEnd(10)} ${safe(text ?? '')}`).join('\n');
}
