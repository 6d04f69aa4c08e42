import type { NewRow, TableName } from '../../ports/tables.js';

/**
 * What a column holds. A `word` is text from a closed set: its value is written into a statement as it is, because
 * SQLite takes a partial index (`where state = 'ready'`) only for literals. `?` = may be null.
 */
export type Kind = Base | `${Base}?`;
type Base = 'text' | 'word' | 'integer' | 'boolean' | 'json';

export interface Table {
  /** In the order of their positions in statements; every table also has `sequence`, its primary key. */
  readonly columns: Readonly<Record<string, Kind>>;
  readonly uniqueKeys: readonly UniqueKey[];
  /** Columns by which the stages look rows up; the memory adapter keeps an index of each. */
  readonly lookups: readonly string[];
}

/** Columns whose values no two rows share, in the order of the index. A row with a null among them is not in it. */
export type UniqueKey = readonly string[];

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

const definitions = {
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
      cid: 'text?',
      topics: 'json',
      tag: 'text?',
      datahash: 'text',
      data: 'json',
      pins: 'json',
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
    columns: { namespace: 'text', id: 'text', hash: 'text', validator: 'text', created: 'text', value: 'text' },
    uniqueKeys: [['id', 'hash']],
    lookups: ['id', 'hash'],
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
      nonce: 'integer?',
      raw: 'text?',
    },
    uniqueKeys: [['id']],
    lookups: ['id', 'tx', 'lane', 'status', 'batch'],
  },
  transactions: {
    columns: { namespace: 'text', id: 'text', type: 'word', created: 'text', blockchainIds: 'json' },
    uniqueKeys: [['id']],
    lookups: ['id'],
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
    },
    uniqueKeys: [['did']],
    lookups: ['id', 'did'],
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

export const tables: { readonly [T in TableName]: Table } = definitions;

export const tableNames: readonly TableName[] = Object.keys(tables).filter((name): name is TableName => name in tables);

/** The kind of a column, or undefined if the table does not have it. */
export function kindOf(table: TableName, column: string): Kind | undefined {
  if (column === 'sequence') return 'integer';
  const { columns } = tables[table];
  return Object.hasOwn(columns, column) ? columns[column] : undefined;
}

export function baseOf(kind: Kind): Base {
  // The only kinds that end with a question mark are those made of a base and one.
  return (kind.endsWith('?') ? kind.slice(0, -1) : kind) as Base;
}

/** Whether one of these columns is in a unique key. */
export function isOfKey(table: TableName, columns: readonly string[]): boolean {
  const { uniqueKeys } = tables[table];
  return uniqueKeys.some((key) => columns.some((column) => key.includes(column)));
}
