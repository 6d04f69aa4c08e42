import type { messageRoutes } from '../../../src/wire/routes/messages.js';
import { type Examples, exampleValue as value, type Scene } from './example.js';

const ofMessage = ({ message }: Scene) => ({ msgid: message.header.id });

export const messageExamples: Examples<typeof messageRoutes> = {
  broadcastMessage: {
    call: ({ client }) =>
      client.broadcastMessage({ body: { header: { tag: 'order', topics: ['orders'] }, data: [{ value }] } }),
    shows: () => ({ header: { type: 'broadcast', tag: 'order', topics: ['orders'] }, state: 'ready' }),
    body: `{"header":{"tag":"order","topics":["orders"]},"data":[{"value":${value}}]}`,
  },
  sendMessage: {
    call: ({ client }) =>
      client.sendMessage({ body: { group: { members: [{ identity: 'bob' }] }, data: [{ value }] } }),
    shows: () => ({ header: { type: 'private', topics: ['default'] }, state: 'ready' }),
    body: `{"group":{"members":[{"identity":"bob"}]},"data":[{"value":${value}}]}`,
  },
  requestReply: {
    call: ({ client }) =>
      client.requestReply({
        body: { header: { tag: 'ask' }, group: { members: [{ identity: 'bob' }] }, data: [{ value }] },
      }),
    shows: () => ({ state: 'confirmed', header: { tag: 'reply', author: 'did:parley:org/bob' }, data: [{ value }] }),
    body: `{"header":{"tag":"ask"},"group":{"members":[{"identity":"bob"}]},"data":[{"value":${value}}]}`,
  },
  listMessages: {
    call: ({ client }) => client.listMessages({ query: { pending: false, data: true, limit: 1 } }),
    shows: () => [{ state: 'confirmed', data: [{ value }] }],
  },
  getMessage: {
    call: ({ client, message }) => client.getMessage({ path: { msgid: message.header.id }, query: { data: true } }),
    shows: ({ message }) => ({ ...message, data: [{ validator: 'json', value }] }),
    parameters: ofMessage,
  },
  getMessageData: {
    call: ({ client, message }) => client.getMessageData({ path: { msgid: message.header.id } }),
    shows: () => [{ validator: 'json', namespace: 'default', value }],
    parameters: ofMessage,
  },
  listMessageEvents: {
    call: (scene) => scene.client.listMessageEvents({ path: ofMessage(scene), query: { fetchreferences: true } }),
    shows: ({ message }) => [{ type: 'message_confirmed', message: { hash: message.hash, batchID: message.batch } }],
    parameters: ofMessage,
  },
  getMessageTransaction: {
    call: (scene) => scene.client.getMessageTransaction({ path: ofMessage(scene) }),
    shows: ({ message }) => ({ id: message.txid, type: 'batch_pin' }),
    parameters: ofMessage,
  },
  getMessageProgress: {
    call: (scene) => scene.client.getMessageProgress({ path: ofMessage(scene) }),
    shows: ({ message: { header, hash } }) => ({
      id: header.id,
      hash,
      state: 'confirmed',
      steps: [
        { step: 'accepted' },
        { step: 'sealed' },
        { step: 'stored' },
        { step: 'pinned' },
        { step: 'batch' },
        { step: 'data' },
        { step: 'next' },
        { step: 'decided' },
      ],
      waits: [],
    }),
    parameters: ofMessage,
  },
  listMessageOperations: {
    call: (scene) => scene.client.listMessageOperations({ path: ofMessage(scene), query: { ascending: true } }),
    shows: ({ message }) => [
      { tx: message.txid, type: 'sharedstorage_upload_batch', status: 'Succeeded' },
      { tx: message.txid, type: 'blockchain_pin_batch', status: 'Succeeded' },
    ],
    parameters: ofMessage,
  },
};
