import {
  batchNameKey,
  batchNameOf,
  findBatchesOfPins,
  exactItems,
  exactMessages,
  referenceKey,
} from '../../pipeline/state/messages/exact.js';
import { approvalRecord, balanceRecord, poolRecord, transferRecord } from '../../pipeline/records/tokens.js';
import { apiRecord, interfaceRecord } from '../../pipeline/records/contracts.js';
import { blockchainEventRecord, listenerRecord } from '../../pipeline/records/listeners.js';
import { transactionRecord } from '../../pipeline/records/operations.js';
import { dataRecord, datatypeRecord, groupRecord, messageRecord } from '../../pipeline/records/records.js';
import type { Integrity } from '../../pipeline/records/integrity.js';
import type { Database } from '../../ports/database.js';
import type { BatchRow, DataRow, MessageRow, PinRow } from '../../ports/tables/tables.js';
import type { Batch } from '../../wire/messages/batch-record.js';
import type { BlockchainEvent } from '../../wire/contracts/blockchain-event.js';
import type { ContractApi, ContractInterface, ContractListener } from '../../wire/contracts/contract.js';
import type { Data, DataReference } from '../../wire/data/data.js';
import type { Datatype } from '../../wire/data/datatype.js';
import type { Event } from '../../wire/events/event-record.js';
import type { CollectionName } from '../../wire/lists/fields.js';
import type { Group } from '../../wire/messages/group.js';
import type { Identity, Verifier } from '../../wire/identities/identity.js';
import type { Message } from '../../wire/messages/message.js';
import type { NextPin, Pin } from '../../wire/messages/pin.js';
import { readFlag } from '../../wire/lists/query.js';
import type { Subscription } from '../../wire/events/subscription.js';
import type {
  TokenAccount,
  TokenAccountPool,
  TokenApproval,
  TokenBalance,
  TokenPool,
  TokenTransfer,
} from '../../wire/token.js';
import type { Operation, Transaction } from '../../wire/chain/transaction.js';
import { type Collection, collectionOfRecords, collectionOfTable } from './collection.js';
import { embedReferences } from './embed.js';
import { messageCollection } from '../messages/message-collection.js';
import { readIdentities, readVerifiers } from '../identities/members.js';
import { batchRecord, nextPinRecord, pinRecord } from './records.js';
import { operationCollection } from '../chain/operation-collection.js';
import type { OperationActivity } from '../chain/operation-detail.js';
import { readSubscriptions, type SubscriptionActivity } from '../events/subscription-list.js';

/** The record type of each collection. */
interface Records {
  readonly messages: Message;
  readonly data: Data;
  readonly datatypes: Datatype;
  readonly batches: Batch;
  readonly groups: Group;
  readonly pins: Pin;
  readonly nextpins: NextPin;
  readonly events: Event;
  readonly subscriptions: Subscription;
  readonly transactions: Transaction;
  readonly operations: Operation;
  readonly identities: Identity;
  readonly verifiers: Verifier;
  readonly pools: TokenPool;
  readonly transfers: TokenTransfer;
  readonly approvals: TokenApproval;
  readonly balances: TokenBalance;
  readonly accounts: TokenAccount;
  readonly accountpools: TokenAccountPool;
  readonly interfaces: ContractInterface;
  readonly apis: ContractApi;
  readonly listeners: ContractListener;
  readonly blockchainevents: BlockchainEvent;
}

export type RecordOf<C extends CollectionName> = Records[C];
export type Collections = { readonly [C in CollectionName]: Collection<RecordOf<C>> };

/** Live state that is shown beside rows. */
export interface LiveState extends SubscriptionActivity, OperationActivity {
  readonly integrity: Integrity;
  /** Returns the address of the node. */
  readonly url: () => string;
}

/** Creates all collections, by the names of `wire/lists/fields.ts`. */
export function createCollections(database: Database, activity: LiveState): Collections {
  return {
    messages: messageCollection(database, (rows, { flags }) =>
      messageRecords(database, rows, hasFlag(flags, 'fetchdata') || hasFlag(flags, 'data')),
    ),
    data: dataCollection(database, activity),
    datatypes: collectionOfTable({ database, table: 'datatypes', show: (rows) => rows.map(datatypeRecord) }),
    batches: collectionOfTable({
      database,
      table: 'batches',
      show: (rows, { isSingle }) => (isSingle ? wholeBatches(database, rows) : rows.map((row) => batchRecord(row))),
    }),
    groups: collectionOfTable({ database, table: 'groups', show: (rows) => rows.map(groupRecord) }),
    pins: collectionOfTable({
      database,
      table: 'pins',
      isShared: true,
      show: (rows, { namespace }) => pinRecords(database, rows, namespace),
    }),
    nextpins: collectionOfTable({ database, table: 'nextpins', show: (rows) => rows.map(nextPinRecord) }),
    events: eventCollection(database, activity),
    subscriptions: collectionOfRecords((namespace, flags) =>
      readSubscriptions(database, {
        namespace,
        activity: hasFlag(flags, 'fetchstatus') ? activity : undefined,
      }),
    ),
    transactions: collectionOfTable({
      database,
      table: 'transactions',
      show: (rows) => rows.map(transactionRecord),
    }),
    operations: operationCollection(database, activity),
    identities: collectionOfRecords((namespace, flags) =>
      readIdentities(database, namespace, hasFlag(flags, 'fetchverifiers')),
    ),
    verifiers: collectionOfRecords((namespace) => readVerifiers(database, namespace)),
    ...tokenCollections(database),
    interfaces: collectionOfTable({
      database,
      table: 'interfaces',
      show: (rows, { flags }) =>
        rows.map((row) => interfaceRecord(row, { hasChildren: hasFlag(flags, 'fetchchildren') })),
    }),
    apis: collectionOfTable({
      database,
      table: 'apis',
      show: (rows) => rows.map((row) => apiRecord(row, activity.url())),
    }),
    listeners: collectionOfTable({ database, table: 'listeners', show: (rows) => rows.map(listenerRecord) }),
    blockchainevents: collectionOfTable({
      database,
      table: 'blockchainevents',
      show: (rows) => rows.map(blockchainEventRecord),
    }),
  };
}

type TokenCollection = 'pools' | 'transfers' | 'approvals' | 'balances' | 'accounts' | 'accountpools';

function tokenCollections(database: Database): Pick<Collections, TokenCollection> {
  const parts = { database, namesPools: true };
  return {
    pools: collectionOfTable({ database, table: 'pools', show: (rows) => rows.map(poolRecord) }),
    transfers: collectionOfTable({ ...parts, table: 'transfers', show: (rows) => rows.map(transferRecord) }),
    approvals: collectionOfTable({ ...parts, table: 'approvals', show: (rows) => rows.map(approvalRecord) }),
    balances: collectionOfTable({ ...parts, table: 'balances', show: (rows) => rows.map(balanceRecord) }),
    accounts: collectionOfTable({ database, table: 'accounts', show: (rows) => rows.map(({ key }) => ({ key })) }),
    accountpools: collectionOfTable({
      ...parts,
      table: 'accountpools',
      show: (rows) => rows.map(({ pool }) => ({ pool })),
    }),
  };
}

function dataCollection(database: Database, { integrity }: Pick<LiveState, 'integrity'>): Collection<Data> {
  return collectionOfTable({
    database,
    table: 'data',
    show(rows, { isSingle }) {
      if (isSingle) rows.forEach(integrity.requireItem);
      return rows.map(dataRecord);
    },
  });
}

function eventCollection(database: Database, { integrity }: Pick<LiveState, 'integrity'>): Collection<Event> {
  return collectionOfTable({
    database,
    table: 'events',
    show(rows, { flags, isSingle }) {
      const isEmbedded = hasFlag(flags, 'fetchreferences') || hasFlag(flags, 'fetchreference');
      return embedReferences(database, rows, isEmbedded, isSingle ? integrity.damageOfText : undefined);
    },
  });
}

function hasFlag(flags: ReadonlyMap<string, string>, name: string): boolean {
  return readFlag(flags.get(name)) ?? false;
}

/** Builds message records, with data items in place of their references if requested (docs/api.md §10.5). */
async function messageRecords(database: Database, rows: readonly MessageRow[], hasData: boolean): Promise<Message[]> {
  const data = hasData ? await itemsOf(database, rows) : undefined;
  return rows.map((row) => messageRecord(row, data));
}

/** The data items that messages refer to, by `referenceKey`; those of definitions are in the system namespace. */
export function itemsOf(database: Database, messages: readonly MessageRow[]): Promise<ReadonlyMap<string, DataRow>> {
  const references = messages.flatMap(({ data }) => data);
  return exactItems(database, references);
}

/** Builds batch records with the data that their messages refer to. */
async function wholeBatches(database: Database, rows: readonly BatchRow[]): Promise<Batch[]> {
  const manifest = rows.flatMap((row) => row.manifest ?? []);
  const messages = await exactMessages(database, manifest);
  return rows.map((row) => batchRecord(row, dataOf(row, messages)));
}

function dataOf({ manifest }: BatchRow, messages: ReadonlyMap<string, MessageRow>): DataReference[] {
  const references = (manifest ?? []).flatMap((entry) => messages.get(referenceKey(entry))?.data ?? []);
  return [...new Map(references.map((reference) => [referenceKey(reference), reference])).values()];
}

/** Builds pin records. Pins are visible in every namespace; the name of a pin's own namespace is shown only there. */
async function pinRecords(database: Database, rows: readonly PinRow[], namespace: string): Promise<Pin[]> {
  const batches = await findBatchesOfPins(database, rows);
  const own = new Set(batches.filter((batch) => batch.namespace === namespace).map(batchNameKey));
  return rows.map((row) => pinRecord(row, own.has(batchNameKey(batchNameOf(row))) ? namespace : undefined));
}
