import type { NewRow, TableName } from '../../ports/tables.js';

/**
 * What a column holds. A `word` is text from a closed set: its value is written into a statement as it is, because
 * SQLite takes a partial index (`where state = 'ready'`) only for literals. `?` = may be null.
 */
export type Kind = Base | `${Base}?`;
export type Base = 'text' | 'word' | 'integer' | 'boolean' | 'json';

type KindOf<V> = [V] extends [boolean]
  ? 'boolean'
  : [V] extends [number]
    ? 'integer'
    : [V] extends [string]
      ? IsClosedSet<V> extends true
        ? 'word'
        : 'text'
      : 'json';
/**
 * Only literals make members that must be there; `string` and a branded text such as `JsonText` make an index of any.
 */
type IsClosedSet<V extends string> = Record<never, never> extends Record<V, true> ? false : true;
type KindFor<V> = null extends V ? `${KindOf<NonNullable<V>>}?` : KindOf<V>;

/** Exactly the columns of `ports/tables.ts`, each of its kind, or this file does not compile. */
type Definitions = {
  readonly [T in TableName]: {
    readonly columns: { readonly [C in keyof NewRow<T>]: KindFor<NewRow<T>[C]> };
    readonly uniqueKeys: readonly (readonly (keyof NewRow<T> & string)[])[];
    readonly lookups: readonly (keyof NewRow<T> & string)[];
  };
};

export const definitions = {
  messages: {
    columns: {
      namespace: 'text',
      id: 'text',
      hash: 'text',
      type: 'word',
      txtype: 'word',
      author: 'text',
      key: 'text',
      created: 'text',
      group: 'text?',
      cid: 'text?',
      topics: 'json',
      tag: 'text?',
      datahash: 'text',
      data: 'json',
      pins: 'json',
      nonces: 'json?',
      hasBlobs: 'boolean',
      hasDatatypes: 'boolean',
      sizeBytes: 'integer',
      state: 'word',
      batch: 'text?',
      batchHash: 'text?',
      txid: 'text?',
      confirmed: 'text?',
      rejectReason: 'text?',
      idempotencyKey: 'text?',
      rank: 'text',
    },
    uniqueKeys: [
      ['id', 'hash'],
      ['namespace', 'idempotencyKey'],
    ],
    lookups: ['id', 'hash', 'state', 'batch', 'batchHash', 'idempotencyKey'],
  },
  data: {
    columns: {
      namespace: 'text',
      id: 'text',
      hash: 'text',
      validator: 'text',
      created: 'text',
      value: 'text',
      datatypeName: 'text?',
      datatypeVersion: 'text?',
      blobHash: 'text?',
      blobSize: 'integer?',
      blobName: 'text?',
      blobPath: 'text?',
      blobPublic: 'text?',
      public: 'text?',
    },
    uniqueKeys: [['id', 'hash']],
    lookups: ['id', 'hash', 'blobHash'],
  },
  blobs: {
    columns: { namespace: 'text', hash: 'text', sizeBytes: 'integer', created: 'text' },
    uniqueKeys: [['hash']],
    lookups: ['hash'],
  },
  groups: {
    columns: { namespace: 'text', hash: 'text', name: 'text', members: 'json', created: 'text' },
    uniqueKeys: [['hash']],
    lookups: ['hash'],
  },
  profiles: {
    columns: {
      namespace: 'text',
      identity: 'text',
      description: 'text?',
      profile: 'text?',
      message: 'text',
      updated: 'text',
    },
    uniqueKeys: [['namespace', 'identity']],
    lookups: ['identity'],
  },
  datatypes: {
    columns: {
      namespace: 'text',
      id: 'text',
      message: 'text',
      name: 'text',
      version: 'text',
      hash: 'text',
      value: 'text',
      created: 'text',
      pin: 'integer',
    },
    uniqueKeys: [['namespace', 'id'], ['namespace', 'name', 'version']],
    lookups: ['id', 'name'],
  },
  batches: {
    columns: {
      namespace: 'text',
      id: 'text',
      hash: 'text',
      signer: 'text',
      author: 'text',
      node: 'text?',
      type: 'word',
      group: 'text?',
      txid: 'text',
      created: 'text?',
      payloadRef: 'text?',
      manifest: 'json?',
      state: 'word',
      reason: 'text?',
      confirmed: 'text?',
    },
    uniqueKeys: [['id', 'hash', 'signer']],
    lookups: ['id', 'hash', 'state'],
  },
  payloads: {
    columns: { namespace: 'text', hash: 'text', text: 'text' },
    uniqueKeys: [['hash']],
    lookups: ['hash'],
  },
  candidates: {
    columns: {
      namespace: 'text',
      hash: 'text',
      peer: 'text',
      batch: 'text',
      group: 'text',
      groupName: 'text',
      groupNamespace: 'text',
      members: 'json',
      sizeBytes: 'integer',
      created: 'text',
    },
    uniqueKeys: [['hash', 'peer']],
    lookups: ['hash', 'peer'],
  },
  claims: {
    columns: { namespace: 'text', blob: 'text', sizeBytes: 'integer', peer: 'text', source: 'text' },
    uniqueKeys: [['blob', 'peer', 'source']],
    lookups: ['blob', 'peer', 'source'],
  },
  nonces: {
    columns: { namespace: 'text', context: 'text', identity: 'text', nonce: 'integer' },
    uniqueKeys: [['context', 'identity']],
    lookups: ['context'],
  },
  nextpins: {
    columns: {
      namespace: 'text',
      context: 'text',
      topic: 'text',
      group: 'text',
      identity: 'text',
      nonce: 'integer',
      hash: 'text',
    },
    uniqueKeys: [['context', 'identity']],
    lookups: ['context', 'hash'],
  },
  pins: {
    columns: {
      namespace: 'text',
      context: 'text',
      masked: 'boolean',
      batch: 'text',
      batchHash: 'text',
      signer: 'text',
      identity: 'text',
      index: 'integer',
      spent: 'boolean',
      block: 'integer',
      created: 'text',
    },
    uniqueKeys: [['batch', 'batchHash', 'signer', 'index']],
    lookups: ['context', 'batch', 'spent'],
  },
  due: {
    columns: { namespace: 'text', context: 'text' },
    uniqueKeys: [['context']],
    lookups: ['context'],
  },
  waits: {
    columns: { namespace: 'text', context: 'text', on: 'text', since: 'text' },
    uniqueKeys: [['context', 'on']],
    lookups: ['context', 'on'],
  },
  operations: {
    columns: {
      namespace: 'text',
      id: 'text',
      tx: 'text',
      type: 'word',
      lane: 'text',
      plugin: 'text',
      status: 'word',
      input: 'json',
      output: 'json?',
      error: 'text?',
      created: 'text',
      updated: 'text',
      retry: 'text?',
      batch: 'text',
      batchHash: 'text',
      signer: 'text',
      blob: 'text?',
      nonce: 'integer?',
      raw: 'text?',
    },
    uniqueKeys: [['id']],
    lookups: ['id', 'tx', 'lane', 'status', 'batch', 'blob'],
  },
  transactions: {
    columns: {
      namespace: 'text',
      id: 'text',
      type: 'word',
      created: 'text',
      idempotencyKey: 'text?',
      blockchainIds: 'json',
    },
    uniqueKeys: [['id'], ['namespace', 'idempotencyKey']],
    lookups: ['id', 'idempotencyKey'],
  },
  events: {
    columns: {
      namespace: 'text',
      id: 'text',
      type: 'word',
      reference: 'text',
      referenceHash: 'text',
      correlator: 'text?',
      tx: 'text?',
      topic: 'text?',
      topics: 'json',
      created: 'text',
    },
    uniqueKeys: [['id'], ['reference', 'referenceHash', 'type', 'namespace']],
    lookups: ['id', 'reference'],
  },
  identities: {
    columns: {
      namespace: 'text',
      id: 'text',
      did: 'text',
      type: 'word',
      parent: 'text?',
      name: 'text',
      created: 'text',
      endpoint: 'text?',
      publicKeyHash: 'text?',
      block: 'integer',
      updated: 'text?',
    },
    uniqueKeys: [['did']],
    lookups: ['id', 'did', 'parent', 'publicKeyHash'],
  },
  keys: {
    columns: { namespace: 'text', key: 'text', identity: 'text', created: 'text' },
    uniqueKeys: [['key']],
    lookups: ['key', 'identity'],
  },
  cursors: {
    columns: {
      namespace: 'text',
      source: 'text',
      genesisHash: 'text',
      contract: 'text',
      block: 'integer',
      blockHash: 'text',
    },
    uniqueKeys: [['source']],
    lookups: ['source'],
  },
} satisfies Definitions;
