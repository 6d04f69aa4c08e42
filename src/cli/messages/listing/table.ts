import type { Message } from '../../../wire/messages/message.js';
import { authorOf, valuesOf } from './messages.js';
import type { Collection } from '../../requests/list.js';
import { ageColumn, type Column } from '../../terminal/table.js';
import { recordText } from '../../requests/record-text.js';
import { safe, shortId, sizeOf } from '../../terminal/text.js';

/** The columns of messages: short ids and ages on a terminal, full ids and ISO times elsewhere. */
export function messageColumns(hasData: boolean, nowMs: number): readonly Column<Message>[] {
  const columns: Column<Message>[] = [
    { name: 'id', text: ({ header }, isTerminal) => (isTerminal ? shortId(header.id) : header.id) },
    { name: 'type', spare: 2, text: ({ header }) => safe(header.type) },
    { name: 'author', text: authorOf },
    { name: 'tag', spare: 3, text: ({ header }) => safe(header.tag ?? '') },
    { name: 'topics', spare: 1, text: ({ header }) => safe(header.topics.join(',')) },
    { name: 'state', text: ({ state }) => safe(state) },
    ageColumn('created', ({ header }) => header.created, nowMs),
    { name: 'data', text: (message) => valuesOf(message, Number.POSITIVE_INFINITY) },
  ];
  return hasData ? columns : columns.filter(({ name }) => name !== 'data');
}

export function messageCollection(hasData: boolean): Collection<'listMessages'> {
  return {
    route: 'listMessages',
    noun: 'messages',
    columns: messageColumns(hasData, Date.now()),
    keys: { id: ({ header }) => header.id, field: 'created', key: ({ header }) => header.created },
  };
}

export function messageText(message: Message, isTerminal: boolean): string {
  const { header } = message;
  return recordText([
    ['id', header.id],
    ['state', message.state],
    ['reason', message.rejectReason],
    ['confirmed', message.confirmed],
    ['rejected', message.rejected],
    ['created', header.created],
    ['type', `${header.type}, ${header.txtype}`],
    ['author', header.author],
    ['key', header.key],
    ['namespace', header.namespace],
    ['group', header.group],
    ['topics', header.topics.join(', ')],
    ['tag', header.tag],
    ['hash', message.hash],
    ['batch', message.batch],
    ['pins', message.pins?.join(', ')],
    ...message.data.map((item) => ['data', itemText(item, isTerminal)] as const),
  ]);
}

function itemText({ id, value, blob }: Message['data'][number], isTerminal: boolean): string {
  const file = blob === undefined ? [] : [`${blob.name ?? 'file'} (${sizeOf(blob.size)})`];
  return value === undefined ? id : [isTerminal ? shortId(id) : id, ...file, value].join('  ');
}
