import type { Publisher } from '../../pipeline/accept/data/publish.js';
import { findItem } from '../../pipeline/accept/data/item.js';
import type { RemoveData } from '../../pipeline/accept/data/remove.js';
import type { Uploader } from '../../pipeline/accept/data/upload.js';
import type { Blobs } from '../../pipeline/blobs/blobs.js';
import type { Integrity } from '../../pipeline/records/integrity.js';
import type { Database } from '../../ports/database.js';
import type { dataRoutes } from '../../wire/routes/data.js';
import { blobReply } from '../data/blob-reply.js';
import type { HandlersOf } from '../requests/handler.js';
import type { Reading } from '../lists/read.js';
import { subPaths } from '../data/sub-paths.js';

type DataHandlers = HandlersOf<typeof dataRoutes>;

export interface DataHandlerParts {
  readonly database: Database;
  readonly blobs: Blobs;
  readonly uploader: Uploader;
  readonly publisher: Publisher;
  readonly removeData: RemoveData;
  readonly reading: Reading;
  readonly integrity: Integrity;
}

/** Creates the handlers for data items and their files. */
export function createDataHandlers(parts: DataHandlerParts): DataHandlers {
  const { database, blobs, uploader, publisher, removeData, reading, integrity } = parts;
  return {
    uploadData: ({ namespace, body, form }) =>
      form === undefined ? uploader.acceptData(namespace, body) : uploader.acceptUpload(namespace, form),

    async getDataValue({ namespace, params }) {
      const item = await findItem(database, namespace, params.dataid);
      integrity.requireItem(item);
      return item.value;
    },

    async getDataBlob({ namespace, params, http }) {
      return blobReply(blobs, await findItem(database, namespace, params.dataid), http);
    },

    async listDataMessages({ params, ...request }) {
      const { id } = await findItem(database, request.namespace, params.dataid);
      const of = { field: 'value', is: 'contains', value: `"id":"${id}"` } as const;
      return reading.list('messages', request, [{ field: 'data', is: 'written', of }]);
    },

    listDataSubPaths: ({ namespace, params }) => subPaths(database, namespace, params.parent),

    deleteData: async ({ namespace, params }) => {
      await removeData(namespace, params.dataid);
      return null;
    },

    publishDataValue: ({ namespace, params: { dataid }, body, deadline }) =>
      publisher.publishValue({ namespace, dataid }, body, deadline.signal),

    publishDataBlob: ({ namespace, params: { dataid }, body, deadline }) =>
      publisher.publishBlob({ namespace, dataid }, body, deadline.signal),
  };
}
