import { textOf, write } from '../../../../src/wire/json/json.js';
import { BroadcastRequest, PrivateRequest } from '../../../../src/wire/messages/message.js';
import type { DataInput } from '../../../../src/wire/data/data.js';
import { jsonOf } from '../../actions/json-text.js';
import type { Action } from '../../actions/action.js';
import { option } from '../../actions/action-texts.js';
import { namesIn } from '../../actions/names-in.js';
import type { DraftItem, DraftMessage } from './draft-message.js';
import { firstProblem, problemsOf } from './problems.js';
import { recipientsOf } from './recipients.js';

/** The request that sends a message; undefined while the draft is incomplete or invalid. */
export function messageAction(draft: DraftMessage): Action | undefined {
  if (firstProblem(problemsOf(draft)) !== undefined) return undefined;
  const cli = commandOf(draft);
  const common = { method: 'POST', ...(cli !== undefined && { cli }) } as const;
  if (draft.kind === 'broadcast') {
    const body = write(BroadcastRequest, requestOf(draft));
    return { ...common, path: 'broadcast/message', body, sdk: { method: 'sendBroadcast' } };
  }
  const body = write(PrivateRequest, requestOf(draft));
  const options = draft.waitsForReply ? [textOf({ requestReply: true })] : [];
  return {
    ...common,
    path: draft.waitsForReply ? 'messages/requestreply' : 'send/message',
    body,
    sdk: { method: 'sendPrivateMessage', arguments: [body, ...options] },
  };
}

function requestOf(draft: DraftMessage): BroadcastRequest & PrivateRequest {
  const { kind, group, items, tag, isUnpinned, idempotencyKey, cid, author } = draft;
  const topics = namesIn(draft.topics);
  const header = {
    ...(author !== '' && { author }),
    ...(cid !== '' && { cid }),
    ...(kind === 'private' && isUnpinned && { txtype: 'none' }),
    ...(topics.length > 0 && { topics: [...topics] }),
    ...(tag !== '' && { tag }),
  };
  const members = recipientsOf(draft).map((identity) => ({ identity }));
  return {
    ...(Object.keys(header).length > 0 && { header }),
    ...(kind === 'private' && { group: group === '' ? { members } : group }),
    data: items.map(inputOf),
    ...(idempotencyKey !== '' && { idempotencyKey }),
  };
}

function inputOf({ kind, text, datatype, id }: DraftItem): DataInput {
  if (kind === 'file' || kind === 'data') return { id };
  const value = kind === 'json' ? jsonOf(text) : textOf(text);
  const [name = '', version = ''] = splitDatatype(datatype);
  if (value === undefined) throw new Error('A value of a request is not JSON.');
  return datatype === '' ? { value } : { datatype: { name, version }, value };
}

export function splitDatatype(datatype: string): readonly [name: string, version: string] {
  const at = datatype.lastIndexOf('@');
  return [datatype.slice(0, at), datatype.slice(at + 1)];
}

/** The equivalent `stack` command; undefined if its options cannot express the message. */
function commandOf(draft: DraftMessage): readonly string[] | undefined {
  const { kind, group, items, tag, isUnpinned, idempotencyKey, cid, author, waitsForReply } = draft;
  const values = items.filter((item) => item.kind === 'json' || item.kind === 'text');
  const datatypes = [...new Set(values.map(({ datatype }) => datatype))];
  if (datatypes.length > 1 || cid !== '' || values.some(({ text }) => text.includes('\0'))) return undefined;
  if (items.length === 0 && tag === '') return undefined;
  const [datatype = ''] = datatypes;
  const isPrivate = kind === 'private';
  if (isPrivate && waitsForReply) return undefined;
  return [
    ...(isPrivate ? ['send'] : ['broadcast']),
    ...items.flatMap((item, index) => argumentsOf(item, index === 0)),
    ...(isPrivate ? (group === '' ? ['--to', recipientsOf(draft).join(',')] : ['--group', group]) : []),
    ...(isPrivate && isUnpinned ? ['--unpinned'] : []),
    ...(datatype === '' ? [] : option('--datatype', datatype)),
    ...namesIn(draft.topics).flatMap((topic) => option('--topic', topic)),
    ...(tag === '' ? [] : option('--tag', tag)),
    ...(author === '' ? [] : option('--author', author)),
    ...(idempotencyKey === '' ? [] : option('--idempotent', idempotencyKey)),
  ];
}

function argumentsOf({ kind, text, id }: DraftItem, isFirst: boolean): readonly string[] {
  if (kind === 'file' || kind === 'data') return ['--data-id', id];
  if (kind === 'text') return option('--text', text);
  return isFirst && !text.startsWith('-') ? [text] : option('--data', text);
}
