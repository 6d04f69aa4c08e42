import { type Database, everyNamespace } from '../../ports/database.js';
import type { DataRow, MessageRow } from '../../ports/tables.js';
import type { Sender } from '../../pipeline/accept/message.js';
import { findExact, referenceKey } from '../../pipeline/exact.js';
import { dataRecord, messageRecord } from '../../pipeline/records.js';
import { ServiceError } from '../../wire/error.js';
import { type Condition, equal, readFlag, readPage } from '../../wire/query.js';
import { uuidPattern } from '../../wire/scalar.js';
import type { messageRoutes } from '../../wire/routes/messages.js';
import type { Handler } from '../handler.js';

type MessageHandlers = { readonly [N in keyof typeof messageRoutes]: Handler<(typeof messageRoutes)[N]> };

export interface MessageHandlerParts {
  readonly database: Database;
  readonly sender: Sender;
}

/** Undecided messages first, newest first; then decided ones by time of decision (S §2.2). */
const newestFirst = [
  { field: 'rank', descending: true },
  { field: 'sequence', descending: true },
];

/** What the node answers about messages. */
export function createMessageHandlers({ database, sender }: MessageHandlerParts): MessageHandlers {
  return {
    broadcastMessage: ({ namespace, body }) => sender.acceptMessage(namespace, body),

    sendMessage: ({ namespace, body }) => sender.acceptPrivate(namespace, body),

    async listMessages({ namespace, query }) {
      const { limit, skip, isCounted } = readPage(query);
      const where = pendingCondition(readFlag(query.get('pending')));
      const rows = await database.find('messages', { namespace, where, sort: newestFirst, limit, skip });
      const data = isEnriched(query) ? await findData(database, rows) : undefined;
      const total = isCounted ? await database.count('messages', { namespace, where }) : undefined;
      return { items: rows.map((row) => messageRecord(row, data)), total };
    },

    async getMessage({ namespace, params, query }) {
      const row = await findMessage(database, namespace, params.msgid);
      return messageRecord(row, isEnriched(query) ? await findData(database, [row]) : undefined);
    },

    async getMessageData({ namespace, params }) {
      const row = await findMessage(database, namespace, params.msgid);
      const data = await findData(database, [row]);
      return row.data.flatMap((reference) => data.get(referenceKey(reference)) ?? []).map(dataRecord);
    },
  };
}

/** `pending=false` → only confirmed ones; absent → all (S §3.6). */
function pendingCondition(isPending: boolean | undefined): Condition[] {
  if (isPending === undefined) return [];
  return [equal('state', isPending ? 'ready' : 'confirmed')];
}

function isEnriched(query: ReadonlyMap<string, string>): boolean {
  return readFlag(query.get('fetchdata')) === true || readFlag(query.get('data')) === true;
}

/** Should two messages claim one id, the one that was decided first (S §3.6). */
async function findMessage(database: Database, namespace: string, msgid: string): Promise<MessageRow> {
  const id = msgid.toLowerCase();
  if (!uuidPattern.test(id)) throw new ServiceError('not_uuid', { field: 'The message id', actual: msgid });
  const sort = [{ field: 'rank' }, { field: 'sequence' }];
  const [row] = await database.find('messages', { namespace, where: [equal('id', id)], sort, limit: 1 });
  if (row === undefined) throw new ServiceError('not_found', { what: `message ${id} in namespace ${namespace}` });
  return row;
}

function findData(database: Database, messages: readonly MessageRow[]): Promise<ReadonlyMap<string, DataRow>> {
  const references = messages.flatMap(({ data }) => data);
  return findExact(database, 'data', { namespace: everyNamespace }, references);
}
