import type { Database } from '../../ports/database.js';
import type { Sender } from '../../pipeline/accept/message.js';
import { referenceKey } from '../../pipeline/exact.js';
import { dataRecord, messageRecord } from '../../pipeline/records.js';
import { among, equal, readFlag } from '../../wire/query.js';
import type { messageRoutes } from '../../wire/routes/messages.js';
import { itemsOf } from '../collections.js';
import { findMessage } from '../find-message.js';
import type { HandlersOf } from '../handler.js';
import type { Reading } from '../read.js';

type MessageHandlers = HandlersOf<typeof messageRoutes>;

export interface MessageHandlerParts {
  readonly database: Database;
  readonly sender: Sender;
  readonly reading: Reading;
}

/** What the node answers about messages. */
export function createMessageHandlers({ database, sender, reading }: MessageHandlerParts): MessageHandlers {
  return {
    broadcastMessage: ({ namespace, body }) => sender.acceptMessage(namespace, body),

    sendMessage: ({ namespace, body }) => sender.acceptPrivate(namespace, body),

    async getMessage({ namespace, params, query }) {
      const row = await findMessage(database, namespace, { id: params.msgid, hash: query.get('hash') });
      const hasData = readFlag(query.get('fetchdata')) === true || readFlag(query.get('data')) === true;
      return messageRecord(row, hasData ? await itemsOf(database, [row]) : undefined);
    },

    async getMessageData({ namespace, params }) {
      const row = await findMessage(database, namespace, { id: params.msgid });
      const data = await itemsOf(database, [row]);
      return row.data.flatMap((reference) => data.get(referenceKey(reference)) ?? []).map(dataRecord);
    },

    async listMessageEvents({ namespace, params, ...request }) {
      const row = await findMessage(database, namespace, { id: params.msgid });
      return reading.list('events', { ...request, namespace: row.namespace }, [equal('reference', row.id)]);
    },

    async getMessageTransaction({ namespace, params, query }) {
      const row = await findMessage(database, namespace, { id: params.msgid });
      const where = [row.txid === null ? among('id', []) : equal('id', row.txid)];
      const name = `the transaction of message ${row.id}`;
      return reading.get('transactions', { namespace: row.namespace, query }, { where, name });
    },

    async listMessageOperations({ namespace, params, ...request }) {
      const row = await findMessage(database, namespace, { id: params.msgid });
      const where = [row.txid === null ? among('tx', []) : equal('tx', row.txid)];
      return reading.list('operations', { ...request, namespace: row.namespace }, where);
    },
  };
}
