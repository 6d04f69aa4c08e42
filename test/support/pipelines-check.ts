import { expect } from 'vitest';
import type { MemoryLedger } from '../../src/adapters/blockchain/memory/memory.js';
import { check } from '../../src/bench/check.js';
import type { ChainPin } from '../../src/bench/check/chain-log.js';
import { type PayloadFacts, readEvent, readMessage, readPayload, sha256 } from '../../src/bench/check/facts/facts.js';
import type { BalanceFacts, Invariant, PartyRecord, Recording, SendRecord } from '../../src/bench/check/recording.js';
import { organizationDid } from '../../src/domain/network/identity.js';
import { referenceKey } from '../../src/pipeline/state/messages/exact.js';
import { eventRecord, messageRecord } from '../../src/pipeline/records/records.js';
import type { Database } from '../../src/ports/database.js';
import type { EventRow, MessageRow, OperationRow, TableName, Tables } from '../../src/ports/tables/tables.js';
import { every } from '../../src/ports/tables/where.js';
import { DeliveredEvent } from '../../src/wire/events/event.js';
import { write } from '../../src/wire/json/json.js';
import { type BroadcastRequest, Message, type PrivateRequest } from '../../src/wire/messages/message.js';
import { withoutEchoes } from './echoes.js';
import type { FaultyStore } from './faulty-store.js';

/** An accepted message with its request. */
export interface Sent {
  readonly party: string;
  readonly sentMs: number;
  readonly acceptedMs: number;
  readonly message: Message;
  readonly request: BroadcastRequest | PrivateRequest;
  /** Names of the recipients; undefined for all. */
  readonly members?: readonly string[];
}

export interface NetworkToCheck {
  readonly parties: readonly {
    readonly name: string;
    readonly database: () => Database;
    readonly fatal: readonly Error[];
  }[];
  readonly ledger: MemoryLedger;
  readonly store: FaultyStore;
  readonly sends: readonly Sent[];
  /** By waiting party: messages that are left undecided; may be empty. */
  readonly waiting: ReadonlyMap<string, readonly string[]>;
  /** Parties that have stopped permanently and are not expected to catch up. */
  readonly fatal: ReadonlySet<string>;
  /** Parties with failed token operations. */
  readonly failing: ReadonlySet<string>;
}

const everything = 100_000;

/** Returns all rows of a table, oldest first. */
export function rowsOf<T extends TableName>(database: Database, table: T): Promise<readonly Tables[T][]> {
  return database.lists.find(table, { namespace: every, where: [], sort: [], limit: everything });
}

/** Returns the names of a private message's recipients. */
export async function recipientNames(database: Database, { header }: Message): Promise<string[]> {
  const group = await database.first('groups', { namespace: 'default', hash: header.group ?? '' });
  const nodes = await rowsOf(database, 'identities');
  return nodes.flatMap(({ id, parent }) => {
    const isMember = group?.members.some(({ node }) => node === id) === true;
    return isMember && parent !== null ? [parent.slice(organizationDid('').length)] : [];
  });
}

/** Returns the ids of messages decided at a party, in the order of their events. */
export async function decided({ database }: { readonly database: () => Database }): Promise<string[]> {
  return (await decisionsOf(database())).map(({ reference }) => reference);
}

async function decisionsOf(database: Database): Promise<readonly EventRow[]> {
  const events = await rowsOf(database, 'events');
  const decisions = events.filter(({ type }) => type === 'message_confirmed' || type === 'message_rejected');
  return withoutEchoes(decisions);
}

/** Expects that every party has decided exactly these messages, in this order. */
export async function expectEverywhere(
  { parties }: Pick<NetworkToCheck, 'parties'>,
  ids: readonly string[],
): Promise<void> {
  for (const party of parties) expect(await decided(party), `decided at ${party.name}`).toEqual(ids);
}

/** Expects the same messages of each topic, in the same order, at every party. */
export async function expectOneOrder(
  { parties }: Pick<NetworkToCheck, 'parties'>,
  topics: readonly string[],
): Promise<void> {
  for (const topic of topics) {
    const lines = await Promise.all(
      parties.map(async (party) => {
        const events = await decisionsOf(party.database());
        return events.filter((event) => event.topics.includes(topic)).map(({ reference }) => reference);
      }),
    );
    for (const line of lines) expect(line, topic).toEqual(lines[0]);
  }
}

/**
 * Checks a network at rest by the invariants, with the checker of `bench`, which shares no code with the pipeline; and
 * that no work is left in any party's rows, except as announced by the test.
 */
export async function checkNetwork(network: NetworkToCheck): Promise<void> {
  const { parties, ledger, store, waiting, fatal, failing } = network;
  for (const party of parties) {
    if (!fatal.has(party.name)) expect(party.fatal, `fatal errors of ${party.name}`).toEqual([]);
    await checkRest(party.name, party.database(), waiting.get(party.name), {
      isFatal: fatal.has(party.name),
      hasFailures: failing.has(party.name),
    });
  }
  const records = await Promise.all(parties.map(({ name, database }) => recordOf(name, database())));
  const recording: Recording = {
    sends: sendsOnce(await sentInEarnest(network)).map(sendRecord),
    parties: records,
    pins: pinsOf(ledger),
    payloads: payloadsOf(store),
    blocks: [],
  };
  const isWhole = waiting.size === 0 && fatal.size === 0;
  // Waiting messages were compared one by one above.
  const unjudged: readonly Invariant[] = isWhole ? [] : ['I1', 'I12'];
  const violated = check(recording).filter(
    ({ status, invariant }) => status === 'VIOLATED' && !unjudged.includes(invariant),
  );
  expect(violated).toEqual([]);
}

async function checkRest(
  name: string,
  database: Database,
  waiting: readonly string[] | undefined,
  { isFatal, hasFailures }: { readonly isFatal: boolean; readonly hasFailures: boolean },
): Promise<void> {
  const messages = await rowsOf(database, 'messages');
  const events = await decisionsOf(database);
  const eventKeys = events.map(({ reference, referenceHash }) => `${reference}/${referenceHash}`);
  expect(eventKeys.length, `events at ${name}`).toBe(new Set(eventKeys).size);
  const isDecided = ({ state }: MessageRow) => state === 'confirmed' || state === 'rejected';
  const decided = messages.filter(isDecided).map(({ id, hash }) => `${id}/${hash}`);
  expect([...eventKeys].sort(), `decided messages and events at ${name}`).toEqual(decided.sort());
  if (isFatal) return;
  const ready = messages.filter(({ state }) => state === 'ready').map(({ id }) => id);
  expect(ready.sort(), `undecided messages at ${name}`).toEqual([...(waiting ?? [])].sort());
  expect(await rowsOf(database, 'due'), `due contexts at ${name}`).toEqual([]);
  if (waiting !== undefined) return;
  expect(await rowsOf(database, 'waits'), `waits at ${name}`).toEqual([]);
  const unspent = (await rowsOf(database, 'pins')).filter(({ spent, masked }) => !spent && !masked);
  expect(unspent, `unspent pins at ${name}`).toEqual([]);
  const mayFail = ({ type, status }: OperationRow) =>
    hasFailures && status === 'Failed' && /^(?:token|dataexchange|blockchain_pin)_/.test(type);
  const undone = (await rowsOf(database, 'operations')).filter((row) => row.status !== 'Succeeded' && !mayFail(row));
  expect(undone, `operations at ${name}`).toEqual([]);
}

async function recordOf(name: string, database: Database): Promise<PartyRecord> {
  const messages = await rowsOf(database, 'messages');
  const shared = new Set((await rowsOf(database, 'pools')).flatMap(({ id, pin }) => (pin === null ? [] : [id])));
  const data = new Map((await rowsOf(database, 'data')).map((row) => [referenceKey(row), row]));
  const byKey = new Map(messages.map((row) => [`${row.id}/${row.hash}`, row]));
  const events = (await decisionsOf(database)).flatMap((event) => {
    const message = byKey.get(`${event.reference}/${event.referenceHash}`);
    const subscription = { id: event.id, namespace: event.namespace, name };
    if (message === undefined) return [];
    return [readEvent(write(DeliveredEvent, { ...eventRecord(event), subscription, message: messageRecord(message) }))];
  });
  return {
    name,
    connections: [events],
    messages: messages
      .filter(({ state }) => state !== 'cancelled')
      .map((row) => readMessage(write(Message, messageRecord(row, data)))),
    pending: undefined,
    tokens: {
      transfers: (await rowsOf(database, 'transfers')).filter(({ pool }) => shared.has(pool)).map(transferFacts),
      balances: (await balancesOf(database)).filter(({ pool }) => shared.has(pool)),
    },
  };
}

/** Leaves out messages cancelled with their operations, which no other party knows. */
async function sentInEarnest({ parties, sends }: NetworkToCheck): Promise<readonly Sent[]> {
  const rows = await Promise.all(parties.map(({ database }) => rowsOf(database(), 'messages')));
  const cancelled = new Set(rows.flat().flatMap(({ id, state }) => (state === 'cancelled' ? [id] : [])));
  return sends.filter(({ message }) => !cancelled.has(message.header.id));
}

function transferFacts({ pool, type, from, to, amount, tokenIndex, protocolId, message }: Tables['transfers']) {
  const sides = { from: from ?? undefined, to: to ?? undefined, tokenIndex: tokenIndex ?? undefined };
  return { pool, type, ...sides, amount, protocolId, message: message ?? undefined };
}

async function balancesOf(database: Database): Promise<BalanceFacts[]> {
  const rows = await rowsOf(database, 'balances');
  return rows.map(({ pool, tokenIndex, key, balance }) => ({ pool, tokenIndex, key, balance }));
}

/**
 * Leaves out messages with reused data, and those that first had it, because the checker expects every value to be sent
 * once.
 */
function sendsOnce(sends: readonly Sent[]): readonly Sent[] {
  const again = new Set(sends.flatMap(({ request }) => request.data?.flatMap(({ id }) => id ?? []) ?? []));
  return sends.filter(({ message }) => !message.data.some(({ id }) => again.has(id)));
}

function sendRecord({ party, sentMs, acceptedMs, message, members }: Sent): SendRecord {
  const { id, topics, tag } = message.header;
  const valueHashes = message.data.map(({ hash }) => hash);
  const ofGroup = members === undefined ? {} : { members };
  return { party, sentMs, acceptedMs, id, topics, tag, valueHashes, ...ofGroup };
}

function pinsOf(ledger: MemoryLedger): ChainPin[] {
  return ledger.logs().flatMap((log) => (log.type === 'batch_pin' ? [{ ...log, ...log.position }] : []));
}

function payloadsOf(store: FaultyStore): ReadonlyMap<string, PayloadFacts> {
  return new Map([...store.contents].map(([reference, bytes]) => [reference, factsOf(bytes)]));
}

/** Bytes that are not a payload belong to no batch; the checker ignores them. */
function factsOf(bytes: Uint8Array): PayloadFacts {
  try {
    return readPayload(bytes);
  } catch {
    return { hash: sha256(bytes), id: '', key: '', author: '', messages: [], contexts: [] };
  }
}
