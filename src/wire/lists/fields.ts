import type { Field, FieldType, Fields } from './field.js';
import { noValue } from '../scalar.js';
import { equal, undecidedRank } from './query.js';

const uuid = at('uuid');
const hash = at('hash');
const key = at('key');
const did = at('did');
const text = at('text');
const texts = at('texts');
const time = at('time');
const integer = at('integer');
const boolean = at('boolean');
const amount = at('amount');
const pool = at('pool');
const json = at('json');

/**
 * The fields by which each list can be filtered and sorted (docs/api.md §8.3): name → type, and the column if its name
 * differs.
 */
export const fields = {
  messages: {
    id: uuid('id'),
    cid: uuid('cid'),
    type: text('type'),
    author: did('author'),
    key: key('key'),
    topics: texts('topics'),
    topic: texts('topics'),
    tag: text('tag'),
    group: hash('group'),
    created: time('created'),
    datahash: hash('datahash'),
    idempotencykey: text('idempotencyKey'),
    hash: hash('hash'),
    pins: at('hashes')('pins'),
    state: text('state'),
    confirmed: { type: 'time', column: 'confirmed', twin: 'rank' },
    rejected: { type: 'time', column: 'rejected', twin: 'rank' },
    // The order of the list: an undecided message sorts after any time.
    decided: time('rank'),
    rejectreason: text('rejectReason'),
    sequence: integer('sequence'),
    txtype: at('txtype')('txtype'),
    batch: uuid('batch'),
    txid: uuid('txid'),
    'txparent.type': text('parentType'),
    'txparent.id': uuid('parentId'),
    // Undecided messages sort after all times; of decided ones only the confirmed are complete (docs/api.md §10.5).
    pending: { yes: { field: 'rank', is: 'atLeast', value: undecidedRank }, no: equal('state', 'confirmed') },
  },
  data: {
    id: uuid('id'),
    validator: text('validator'),
    'datatype.name': text('datatypeName'),
    'datatype.version': text('datatypeVersion'),
    hash: hash('hash'),
    'blob.hash': hash('blobHash'),
    'blob.public': text('blobPublic'),
    'blob.name': text('blobName'),
    // A file without a directory in its label is at the top level.
    'blob.path': { type: 'text', column: 'blobPath', fallback: { value: '/', beside: 'blobHash' } },
    'blob.size': integer('blobSize'),
    created: time('created'),
    value: { type: 'text', column: 'value', none: noValue },
    public: text('public'),
  },
  datatypes: {
    id: uuid('id'),
    message: uuid('message'),
    validator: { type: 'text', constant: 'json' },
    name: text('name'),
    version: text('version'),
    hash: hash('hash'),
    created: time('created'),
  },
  batches: {
    id: uuid('id'),
    type: text('type'),
    author: did('author'),
    key: key('signer'),
    group: hash('group'),
    hash: hash('hash'),
    // A private batch is in no store.
    payloadref: { type: 'text', column: 'payloadRef', none: '' },
    created: time('created'),
    confirmed: time('confirmed'),
    'tx.type': { type: 'txtype', constant: 'batch_pin' },
    'tx.id': uuid('txid'),
    node: uuid('node'),
  },
  groups: {
    hash: hash('hash'),
    name: text('name'),
    created: time('created'),
    // Supported for compatibility with FireFly: groups have no description or ledger here.
    description: { type: 'text', constant: null },
    ledger: { type: 'uuid', constant: null },
    message: uuid('message'),
  },
  pins: {
    sequence: integer('sequence'),
    masked: boolean('masked'),
    hash: hash('context'),
    batch: uuid('batch'),
    index: integer('index'),
    dispatched: boolean('spent'),
    signer: key('signer'),
    created: time('created'),
  },
  nextpins: { context: hash('context'), identity: did('identity'), hash: hash('hash'), nonce: integer('nonce') },
  events: {
    id: uuid('id'),
    type: text('type'),
    reference: uuid('reference'),
    correlator: uuid('correlator'),
    tx: uuid('tx'),
    topic: texts('topics'),
    sequence: integer('sequence'),
    created: time('created'),
  },
  subscriptions: {
    id: uuid('id'),
    name: text('name'),
    transport: text('transport'),
    events: text('events'),
    filters: text('filter'),
    options: text('options'),
    created: time('created'),
  },
  transactions: {
    id: uuid('id'),
    type: at('txtype')('type'),
    created: time('created'),
    idempotencykey: text('idempotencyKey'),
    blockchainids: at('chainhashes')('blockchainIds'),
  },
  operations: {
    id: uuid('id'),
    tx: uuid('tx'),
    type: text('type'),
    status: text('status'),
    error: text('error'),
    plugin: text('plugin'),
    input: json('input'),
    output: json('output'),
    created: time('created'),
    updated: time('updated'),
    retry: uuid('retry'),
  },
  identities: {
    id: uuid('id'),
    did: did('did'),
    parent: uuid('parent'),
    type: text('type'),
    name: text('name'),
    description: text('description'),
    profile: text('profile'),
    created: time('created'),
    updated: time('updated'),
    'messages.claim': uuid('claim'),
    'messages.verification': { type: 'uuid', constant: null },
    'messages.update': uuid('update'),
  },
  pools: {
    id: uuid('id'),
    type: text('type'),
    name: text('name'),
    networkname: text('networkName'),
    standard: text('standard'),
    locator: text('locator'),
    symbol: text('symbol'),
    decimals: integer('decimals'),
    message: uuid('message'),
    active: boolean('active'),
    created: time('created'),
    connector: text('connector'),
    'tx.type': at('txtype')('txtype'),
    'tx.id': uuid('txid'),
    interface: uuid('interface'),
    interfaceformat: text('interfaceFormat'),
    published: boolean('published'),
  },
  balances: {
    pool: pool('pool'),
    tokenindex: { type: 'amount', column: 'tokenIndex', none: '' },
    uri: text('uri'),
    connector: text('connector'),
    key: key('key'),
    balance: amount('balance'),
    updated: time('updated'),
  },
  accounts: { key: key('key'), updated: time('updated') },
  accountpools: { key: key('key'), pool: pool('pool'), updated: time('updated') },
  transfers: {
    localid: uuid('localId'),
    pool: pool('pool'),
    tokenindex: amount('tokenIndex'),
    uri: text('uri'),
    connector: text('connector'),
    key: key('key'),
    from: key('from'),
    to: key('to'),
    amount: amount('amount'),
    protocolid: text('protocolId'),
    message: uuid('message'),
    messagehash: hash('messageHash'),
    created: time('created'),
    'tx.type': at('txtype')('txtype'),
    'tx.id': uuid('txid'),
    blockchainevent: uuid('blockchainEvent'),
    type: text('type'),
    fromOrTo: { type: 'key', columns: ['from', 'to'] },
  },
  approvals: {
    localid: uuid('localId'),
    pool: pool('pool'),
    connector: text('connector'),
    key: key('key'),
    operator: key('operator'),
    approved: boolean('approved'),
    protocolid: text('protocolId'),
    subject: text('subject'),
    active: boolean('active'),
    created: time('created'),
    'tx.type': at('txtype')('txtype'),
    'tx.id': uuid('txid'),
    blockchainevent: uuid('blockchainEvent'),
    message: uuid('message'),
    messagehash: hash('messageHash'),
  },
  interfaces: {
    id: uuid('id'),
    name: text('name'),
    networkname: text('networkName'),
    version: text('version'),
    published: boolean('published'),
  },
  apis: {
    id: uuid('id'),
    name: text('name'),
    networkname: text('networkName'),
    interface: uuid('interface'),
    published: boolean('published'),
  },
  listeners: {
    id: uuid('id'),
    name: text('name'),
    interface: uuid('interface'),
    location: text('location'),
    topic: text('topic'),
    signature: text('signature'),
    backendid: text('backendId'),
    created: time('created'),
    updated: time('updated'),
    state: text('state'),
    filters: text('filters'),
  },
  blockchainevents: {
    id: uuid('id'),
    source: text('source'),
    name: text('name'),
    protocolid: text('protocolId'),
    listener: uuid('listener'),
    'tx.type': at('txtype')('txtype'),
    'tx.id': uuid('txid'),
    'tx.blockchainid': at('chainhash')('blockchainId'),
    timestamp: time('timestamp'),
  },
  verifiers: {
    hash: hash('hash'),
    identity: uuid('identity'),
    type: text('type'),
    value: text('value'),
    created: time('created'),
  },
} as const satisfies Readonly<Record<string, Fields>>;

export type CollectionName = keyof typeof fields;
/** The names of the fields by which a collection can be filtered. */
export type FieldName<C extends CollectionName> = keyof (typeof fields)[C] & string;

/** The fields of a collection, without their names in the type. */
export function fieldsOf(collection: CollectionName): Fields {
  return fields[collection];
}

function at<T extends FieldType>(type: T) {
  return (column: string): Field => ({ type, column });
}
