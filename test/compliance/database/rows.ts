import type { ListQuery } from '../../../src/ports/database.js';
import { every } from '../../../src/ports/tables/where.js';
import { newData } from '../../../src/pipeline/state/data/data-row.js';
import type { NewRow } from '../../../src/ports/tables/tables.js';
import { textOf } from '../../../src/wire/json/json.js';
import type { Condition } from '../../../src/wire/lists/query.js';

const created = '2026-01-15T09:58:10.007Z';
const hash = 'ab'.repeat(32);

export function aMessage(values: Partial<NewRow<'messages'>> = {}): NewRow<'messages'> {
  return {
    namespace: 'default',
    id: 'message',
    hash,
    type: 'broadcast',
    txtype: 'batch_pin',
    author: 'did:parley:org/alice',
    key: '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf',
    created,
    group: null,
    cid: null,
    topics: ['default'],
    tag: null,
    datahash: hash,
    parentType: null,
    parentId: null,
    data: [{ id: 'data', hash, seal: 'seal' }],
    pins: [hash],
    nonces: null,
    hasBlobs: false,
    hasDatatypes: false,
    sizeBytes: 1_040,
    steps: 12,
    state: 'ready',
    batch: null,
    batchHash: null,
    txid: null,
    confirmed: null,
    rejected: null,
    rejectReason: null,
    idempotencyKey: null,
    rank: `~${created}`,
    ...values,
  };
}

export function aDataItem(values: Partial<NewRow<'data'>> = {}): NewRow<'data'> {
  const item = { id: 'data', hash, validator: 'json', created, value: textOf({ a: 1 }) };
  return { ...newData('default', item), ...values };
}

export function aPin(values: Partial<NewRow<'pins'>> = {}): NewRow<'pins'> {
  return {
    namespace: 'svc_system',
    context: 'context',
    masked: false,
    batch: 'batch',
    batchHash: hash,
    signer: '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf',
    identity: 'did:parley:org/alice',
    index: 0,
    spent: false,
    block: 1,
    created,
    ...values,
  };
}

export function anOperation(values: Partial<NewRow<'operations'>> = {}): NewRow<'operations'> {
  return {
    namespace: 'default',
    id: 'operation',
    tx: 'transaction',
    type: 'blockchain_pin_batch',
    lane: 'key:0x7e',
    plugin: 'ethereum',
    status: 'Initialized',
    input: {},
    output: null,
    error: null,
    created,
    updated: created,
    retry: null,
    blob: null,
    batch: 'batch',
    batchHash: hash,
    signer: '0x7e',
    nonce: null,
    raw: null,
    transactionHash: null,
    ...values,
  };
}

export function aBatch(values: Partial<NewRow<'batches'>> = {}): NewRow<'batches'> {
  return {
    namespace: 'default',
    id: 'batch',
    hash,
    signer: '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf',
    author: 'did:parley:org/alice',
    node: null,
    type: 'broadcast',
    group: null,
    txid: 'transaction',
    created,
    payloadRef: null,
    manifest: null,
    state: 'sealed',
    reason: null,
    confirmed: null,
    ...values,
  };
}

export function aDue(context: string): NewRow<'due'> {
  return { namespace: 'svc_system', context };
}

/** No limit for a test. */
export const all = { limit: 100_000 } as const;

/**
 * Returns a query for all rows of every namespace that meet the conditions, in order of sequence, unless changed by
 * `rest`.
 */
export function query(where: readonly Condition[] = [], rest: Partial<ListQuery> = {}): ListQuery {
  return { namespace: every, where, sort: [{ field: 'sequence' }], limit: 100_000, ...rest };
}

export function equal(field: string, value: string | number | boolean): Condition {
  return { field, is: 'equal', value };
}

export function isIn(field: string, values: readonly (string | number | boolean)[]): Condition {
  return { field, is: 'in', values };
}

/** Returns one column of rows. */
export function pluck<R, C extends keyof R>(rows: readonly R[], column: C): R[C][] {
  return rows.map((row) => row[column]);
}
