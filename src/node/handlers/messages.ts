import type { Database } from '../../ports/database.js';
import type { DataRow, EventRow, MessageRow } from '../../ports/tables/tables.js';
import type { Sender } from '../../pipeline/state/messages/sender.js';
import { referenceKey } from '../../pipeline/state/messages/exact.js';
import { messageProgress } from '../../pipeline/progress.js';
import type { Integrity } from '../../pipeline/records/integrity.js';
import { dataRecord, messageRecord } from '../../pipeline/records/records.js';
import { ServiceError } from '../../wire/errors/error.js';
import type { PrivateRequest } from '../../wire/messages/message.js';
import { among, equal, readFlag } from '../../wire/lists/query.js';
import type { messageRoutes } from '../../wire/routes/messages.js';
import { itemsOf } from '../lists/collections.js';
import type { Confirm } from '../messages/confirm.js';
import { findMessage } from '../messages/find-message.js';
import type { HandlersOf } from '../requests/handler.js';
import type { Reading } from '../lists/read.js';

type MessageHandlers = HandlersOf<typeof messageRoutes>;

export interface MessageHandlerParts {
  readonly database: Database;
  readonly sender: Sender;
  readonly reading: Reading;
  readonly confirm: Confirm;
  readonly integrity: Integrity;
}

/** Creates the handlers for messages. */
export function createMessageHandlers(parts: MessageHandlerParts): MessageHandlers {
  const { database, sender, reading, confirm, integrity } = parts;

  /** The items of one message. @throws ServiceError damaged */
  async function intactItems(row: MessageRow): Promise<ReadonlyMap<string, DataRow>> {
    const items = await itemsOf(database, [row]);
    for (const item of items.values()) integrity.requireItem(item);
    return items;
  }

  return {
    broadcastMessage: (request) =>
      confirm.message(request, () => sender.acceptMessage(request.namespace, request.body)),

    sendMessage: (request) => confirm.message(request, () => sender.acceptPrivate(request.namespace, request.body)),

    async requestReply({ namespace, body, deadline }) {
      checkReplyRequest(body);
      return confirm.watching(async (watch) => {
        const request = await sender.acceptPrivate(namespace, body);
        deadline.waits();
        const event = await watch.nextAbout(request, isReplyTo(namespace, request.header.id), deadline.signal);
        const reply = await confirm.find(event);
        integrity.requireMessage(reply);
        return messageRecord(reply, await intactItems(reply));
      });
    },

    async getMessage({ namespace, params, query }) {
      const row = await findMessage(database, namespace, { id: params.msgid, hash: query.get('hash') });
      integrity.requireMessage(row);
      const hasData = readFlag(query.get('fetchdata')) === true || readFlag(query.get('data')) === true;
      return messageRecord(row, hasData ? await intactItems(row) : undefined);
    },

    async getMessageData({ namespace, params }) {
      const row = await findMessage(database, namespace, { id: params.msgid });
      integrity.requireMessage(row);
      const data = await intactItems(row);
      return row.data.flatMap((reference) => data.get(referenceKey(reference)) ?? []).map(dataRecord);
    },

    async listMessageEvents({ namespace, params, ...request }) {
      const row = await findMessage(database, namespace, { id: params.msgid });
      // Ids are public: another message may have the same one.
      const about = { reference: row.id, referenceHash: row.hash };
      // The rejection of a definition of this node is reported in the namespace that the definition was for.
      const isToldHere = row.type === 'definition' && (await database.has('events', { namespace, ...about }));
      const where = [equal('reference', row.id), equal('referenceHash', row.hash)];
      return reading.list('events', { ...request, namespace: isToldHere ? namespace : row.namespace }, where);
    },

    async getMessageTransaction({ namespace, params, query }) {
      const row = await findMessage(database, namespace, { id: params.msgid });
      const where = [row.txid === null ? among('id', []) : equal('id', row.txid)];
      const name = `the transaction of message ${row.id}`;
      return reading.get('transactions', { namespace: row.namespace, query }, { where, name });
    },

    async getMessageProgress({ namespace, params }) {
      return messageProgress(database, await findMessage(database, namespace, { id: params.msgid }));
    },

    async listMessageOperations({ namespace, params, ...request }) {
      const row = await findMessage(database, namespace, { id: params.msgid });
      const where = [row.txid === null ? among('tx', []) : equal('tx', row.txid)];
      return reading.list('operations', { ...request, namespace: row.namespace }, where);
    },
  };
}

/**
 * Checks a reply request as far as possible without lookups (docs/api.md §17). @throws ServiceError reply_tag,
 * reply_cid, reply_group
 */
function checkReplyRequest({ header, group }: PrivateRequest): void {
  if (header?.tag === undefined || header.tag === '') throw new ServiceError('reply_tag');
  if (header.cid !== undefined) throw new ServiceError('reply_cid');
  if (group === undefined && header.group === undefined) throw new ServiceError('reply_group');
}

function isReplyTo(namespace: string, id: string): (event: EventRow) => boolean {
  return (event) => event.namespace === namespace && event.type === 'message_confirmed' && event.correlator === id;
}
