import { Type } from '@sinclair/typebox';
import { Data, DataRequest, PublishRequest } from '../data/data.js';
import { Message } from '../messages/message.js';
import { get, list, post, remove } from '../route.js';
import { Flag, Raw } from '../scalar.js';

export const dataRoutes = {
  uploadData: post('data', {
    changes: 'data',
    summary:
      'Store a value, or upload a file as multipart/form-data, to send it later; other parties do not see it yet',
    isUpload: true,
    body: DataRequest,
    status: 200,
    statusUnder: { firefly: 201 },
    reply: Data,
  }),
  listData: list('data', { summary: 'List data items, newest first', from: 'data', reply: Data }),
  getData: get('data/{dataid}', { summary: 'Get a data item', from: 'data', by: { id: 'dataid' }, reply: Data }),
  getDataValue: get('data/{dataid}/value', { summary: 'Get the value of a data item, as it was written', reply: Raw }),
  getDataBlob: get('data/{dataid}/blob', {
    summary: 'Download the file of a data item, or a range of it',
    isBinary: true,
    reply: Type.String({ description: 'the bytes, application/octet-stream' }),
  }),
  listDataMessages: list('data/{dataid}/messages', {
    summary: 'List the messages that refer to a data item',
    like: 'messages',
    query: { fetchdata: Flag, data: Flag },
    reply: Message,
  }),
  listDataSubPaths: get('datasubpaths/{parent}', {
    summary: 'List the directories below one, among the paths of files',
    reply: Type.Array(Type.String()),
  }),
  deleteData: remove('data/{dataid}', {
    changes: 'data',
    summary: 'Delete a data item, with its file if no other item has it',
  }),
  publishDataValue: post('data/{dataid}/value/publish', {
    changes: 'data',
    summary: 'Put the value of a data item into the shared store, for every member to read',
    body: PublishRequest,
    status: 200,
    reply: Data,
  }),
  publishDataBlob: post('data/{dataid}/blob/publish', {
    changes: 'data',
    summary: 'Put the file of a data item into the shared store, for every member to read',
    body: PublishRequest,
    status: 200,
    reply: Data,
  }),
} as const;
