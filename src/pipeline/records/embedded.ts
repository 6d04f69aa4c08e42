import type { Reader } from '../../ports/database.js';
import type { EventRow } from '../../ports/tables/tables.js';
import { ServiceError } from '../../wire/errors/error.js';
import type { EventType } from '../../wire/events/event.js';
import type { Event } from '../../wire/events/event-record.js';
import { apiRecord, interfaceRecord } from './contracts.js';
import { identityRecord } from './identities.js';
import { blockchainEventRecord } from './listeners.js';
import { operationRecord, transactionRecord } from './operations.js';
import { datatypeRecord } from './records.js';
import { approvalRecord, poolRecord, transferRecord } from './tokens.js';

/** The records embedded in an event, by kind (docs/api.md §13.2). */
export type Embedded = Omit<
  Event,
  'id' | 'sequence' | 'type' | 'namespace' | 'reference' | 'correlator' | 'tx' | 'topic' | 'created'
>;

type Find = (
  database: Reader,
  namespace: string,
  references: readonly string[],
) => Promise<readonly (readonly [reference: string, embedded: Embedded])[]>;

const operations = found(
  (database, namespace, ids) => database.rows('operations', { namespace, id: ids }, { limit: ids.length }),
  (row) => [row.id, { operation: operationRecord(row, undefined) }],
);

/** How the record of each type of event is found; messages are read separately. */
const finds: Readonly<Record<EventType, Find | 'message'>> = {
  message_confirmed: 'message',
  message_rejected: 'message',
  message_op_failed: operations,
  message_op_waiting: operations,
  transaction_submitted: found(
    (database, namespace, ids) => database.rows('transactions', { namespace, id: ids }, { limit: ids.length }),
    (row) => [row.id, { transaction: transactionRecord(row) }],
  ),
  datatype_confirmed: found(
    (database, namespace, ids) => database.rows('datatypes', { namespace, id: ids }, { limit: ids.length }),
    (row) => [row.id, { datatype: datatypeRecord(row) }],
  ),
  contract_interface_confirmed: found(
    (database, namespace, ids) => database.rows('interfaces', { namespace, id: ids }, { limit: ids.length }),
    (row) => [row.id, { contractInterface: interfaceRecord(row, { hasChildren: false }) }],
  ),
  contract_api_confirmed: found(
    (database, namespace, ids) => database.rows('apis', { namespace, id: ids }, { limit: ids.length }),
    (row) => [row.id, { contractAPI: apiRecord(row) }],
  ),
  identity_confirmed: findIdentities,
  identity_updated: findIdentities,
  token_pool_confirmed: found(
    (database, namespace, ids) => database.rows('pools', { namespace, id: ids }, { limit: ids.length }),
    (row) => [row.id, { tokenPool: poolRecord(row) }],
  ),
  token_transfer_confirmed: found(
    (database, namespace, ids) => database.rows('transfers', { namespace, localId: ids }, { limit: ids.length }),
    (row) => [row.localId, { tokenTransfer: transferRecord(row) }],
  ),
  token_approval_confirmed: found(
    (database, namespace, ids) => database.rows('approvals', { namespace, localId: ids }, { limit: ids.length }),
    (row) => [row.localId, { tokenApproval: approvalRecord(row) }],
  ),
  token_pool_op_failed: operations,
  token_transfer_op_failed: operations,
  token_approval_op_failed: operations,
  blockchain_event_received: found(
    (database, namespace, ids) => database.rows('blockchainevents', { namespace, id: ids }, { limit: ids.length }),
    (row) => [row.id, { blockchainEvent: blockchainEventRecord(row) }],
  ),
  blockchain_invoke_op_succeeded: operations,
  blockchain_invoke_op_failed: operations,
  blockchain_contract_deploy_op_succeeded: operations,
  blockchain_contract_deploy_op_failed: operations,
};

/** Reads the records that these events refer to, in order, except messages. A missing record was deleted. */
export async function readEmbedded(database: Reader, events: readonly EventRow[]): Promise<readonly Embedded[]> {
  const wanted = new Map<Find, Map<string, Set<string>>>();
  for (const { type, namespace, reference } of events) {
    const find = finds[type];
    if (find === 'message') continue;
    const ofFind = wanted.get(find) ?? new Map<string, Set<string>>();
    wanted.set(find, ofFind.set(namespace, (ofFind.get(namespace) ?? new Set()).add(reference)));
  }
  const found = new Map<Find, ReadonlyMap<string, Embedded>>();
  await Promise.all(
    [...wanted].map(async ([find, namespaces]) => {
      const read = [...namespaces].map(async ([namespace, references]) => {
        const records = await find(database, namespace, [...references]);
        return records.map(([reference, embedded]) => [keyOf(namespace, reference), embedded] as const);
      });
      found.set(find, new Map((await Promise.all(read)).flat()));
    }),
  );
  return events.map(({ type, namespace, reference }) => {
    const find = finds[type];
    return find === 'message' ? {} : (found.get(find)?.get(keyOf(namespace, reference)) ?? deleted(reference));
  });
}

function deleted(reference: string): Embedded {
  const { message } = new ServiceError('not_found', { what: `the record ${reference} of this event; it was deleted` });
  return { error: message };
}

function keyOf(namespace: string, reference: string): string {
  return `${namespace}/${reference}`;
}

/** Embeds the rows that a read of one table returns. */
function found<Row>(
  read: (database: Reader, namespace: string, ids: readonly string[]) => Promise<readonly Row[]>,
  embed: (row: Row) => readonly [reference: string, embedded: Embedded],
): Find {
  return async (database, namespace, references) => (await read(database, namespace, references)).map(embed);
}

/** Identities belong to the network, profiles to the namespace. */
async function findIdentities(database: Reader, namespace: string, ids: readonly string[]): ReturnType<Find> {
  const rows = await database.rows('identities', { id: ids }, { limit: ids.length });
  const names = rows.map(({ did }) => did);
  const profiles = await database.rows('profiles', { namespace, identity: names }, { limit: names.length });
  const profilesByDid = new Map(profiles.map((row) => [row.identity, row]));
  return rows.map((row) => [row.id, { identity: identityRecord(row, profilesByDid.get(row.did), namespace) }]);
}
