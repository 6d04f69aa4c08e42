import type { Shape } from '../../ports/tables/shape.js';

/** A message as embedded in an event (docs/api.md §13.1), with `batch` repeated as `batchID`. */
export const embeddedMessage: Shape<'messages'> = {
  header: {
    is: 'object',
    of: {
      id: 'id',
      cid: 'cid',
      type: 'type',
      txtype: 'txtype',
      author: 'author',
      key: 'key',
      created: 'created',
      namespace: 'namespace',
      group: 'group',
      topics: 'topics',
      topic: 'topics',
      tag: 'tag',
      datahash: 'datahash',
      txparent: { is: 'object', of: { type: 'parentType', id: 'parentId' } },
    },
  },
  localNamespace: 'namespace',
  hash: 'hash',
  batch: 'batch',
  batchID: 'batch',
  txid: 'txid',
  state: 'state',
  confirmed: 'confirmed',
  rejected: 'rejected',
  rejectReason: 'rejectReason',
  data: { is: 'each', column: 'data', members: ['id', 'hash'] },
  pins: { is: 'filled', column: 'pins' },
  // For definitions, the key as the caller gave it (`givenKey`).
  idempotencyKey: { is: 'behindSpace', column: 'idempotencyKey', where: 'type', word: 'definition' },
};
