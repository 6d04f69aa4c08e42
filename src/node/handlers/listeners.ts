import { locationOf, readLocation } from '../../domain/contracts/location.js';
import { findListener, type ListenerAcceptance } from '../../pipeline/accept/contracts/listener.js';
import { readListenedFor } from '../../pipeline/accept/contracts/listener-event.js';
import { locationThrough } from '../../pipeline/accept/contracts/method.js';
import { listenerRecord } from '../../pipeline/records/listeners.js';
import type { ApiRow, ListenerRow } from '../../ports/tables/contract-tables.js';
import type { Database } from '../../ports/database.js';
import { ServiceError } from '../../wire/errors/error.js';
import type { ListenerStatus } from '../../wire/contracts/contract.js';
import { equal, readFlag } from '../../wire/lists/query.js';
import type { listenerRoutes } from '../../wire/routes/listeners.js';
import type { HandlersOf } from '../requests/handler.js';
import type { Reading } from '../lists/read.js';

export interface ListenerHandlerParts extends ListenerAcceptance {
  readonly database: Database;
  readonly reading: Reading;
  /** The last block that this node has read. */
  readonly processedBlock: () => number;
}

/** Creates the handlers for listeners for contract events. */
export function createListenerHandlers(parts: ListenerHandlerParts): HandlersOf<typeof listenerRoutes> {
  const { database, reading, createListener, deleteListener, signatureOfListener, processedBlock } = parts;
  return {
    createContractListener: async ({ namespace, body }) => listenerRecord(await createListener(namespace, body)),

    getListenerSignature: async ({ namespace, body }) => ({ signature: await signatureOfListener(namespace, body) }),

    async getContractListener({ namespace, params: { nameorid }, query }) {
      const row = await findListener(database, namespace, nameorid);
      const isAsked = readFlag(query.get('fetchstatus')) ?? false;
      return { ...listenerRecord(row), ...(isAsked && { status: statusOf(row, processedBlock()) }) };
    },

    async deleteContractListener({ namespace, params: { nameorid } }) {
      await deleteListener(namespace, nameorid);
      return null;
    },

    async createApiListener({ namespace, params: { apiname, eventpath: eventPath }, body }) {
      const api = await findApi(database, namespace, apiname);
      const { interface: id } = api;
      const at = locationThrough(api, body);
      const request = { ...body, interface: { id }, eventPath, ...(at !== undefined && { location: at }) };
      return listenerRecord(await createListener(namespace, request));
    },

    async listApiListeners({ namespace, params: { apiname, eventpath: eventPath }, ...request }) {
      const { interface: id, location } = await findApi(database, namespace, apiname);
      const [filter] = await readListenedFor(database, namespace, { interface: { id }, eventPath });
      const where = [
        equal('interface', id),
        equal('signature', filter?.signature ?? ''),
        ...(location === null ? [] : [equal('location', locationOf(readLocation(location)))]),
      ];
      return reading.list('listeners', { namespace, ...request }, where);
    },
  };
}

/**
 * The progress of a listener as FireFly shows it. A listener whose history is being read has no position of its own
 * yet.
 */
function statusOf({ state, firstBlock }: ListenerRow, processed: number): ListenerStatus {
  const isJoining = state === 'joining';
  const block = isJoining ? (firstBlock ?? 0) - 1 : processed;
  return { checkpoint: { block, transactionIndex: -1, logIndex: -1 }, catchup: isJoining };
}

/** Finds a contract API by name. @throws ServiceError not_found */
async function findApi(database: Database, namespace: string, name: string): Promise<ApiRow> {
  const row = await database.first('apis', { namespace, name });
  if (row === undefined)
    throw new ServiceError('not_found', { what: `contract API ${name} in namespace ${namespace}` });
  return row;
}
