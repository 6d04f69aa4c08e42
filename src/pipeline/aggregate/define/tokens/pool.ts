import { readPoolDefinition } from '../../../../domain/definition.js';
import { assert } from '../../../../domain/invariant.js';
import type { Unit } from '../../../../ports/database.js';
import type { MessageRow, NewRow } from '../../../../ports/tables/tables.js';
import type { LocatedPool } from '../../../../ports/token-connector.js';
import type { PoolRow } from '../../../../ports/tables/token-tables.js';
import { every } from '../../../../ports/tables/where.js';
import { ServiceError } from '../../../../wire/errors/error.js';
import type { PoolDefinition } from '../../../../wire/token.js';
import type { OwnIdentity } from '../../../common/identities/own-identity.js';
import { newActivation } from '../../../operations/activation.js';
import { referenceKey } from '../../../common/messages/exact.js';
import { abandonPool, poolWait, removePool, unclaimPool } from '../../../common/tokens/pool.js';
import { newTransaction } from '../../../common/rows.js';
import { freePoolName, takePoolName } from './pool-name.js';
import type { Definition, DefinitionRule, FactParts, Judged } from '../rule.js';

/**
 * `svc_define_pool` (docs/protocol.md §9.3): the first definition of a name, id and place on the chain wins. An
 * operation checks the pool against the chain and reads its history; until then this definition and all later ones of
 * the namespace wait.
 */
export const poolRule: DefinitionRule = {
  async judge(parts, definition) {
    const { record, refusal } = readPoolDefinition(definition.message.topics, definition.text);
    if (record === undefined) return { refusal };
    const located = parts.connectors.get(record.connector)?.locate(record.locator);
    if (located?.type !== record.type) {
      const problem = `its locator is not one of a ${record.type} pool of the connector ${record.connector}`;
      return { refusal: new ServiceError('definition_invalid', { problem }).message };
    }
    const names = { ...record, networkName: record.name, chainKey: located.key };
    const taken = await findTaken(parts, record, names);
    return taken === undefined ? judgeByChain(parts, definition, record, located) : { refusal: taken };
  },

  async apply(unit, { message, text, place: pin, own }) {
    const { record } = readPoolDefinition(message.topics, text);
    if (record === undefined) return undefined;
    const { id, namespace } = record;
    return {
      id,
      namespace,
      topic: id,
      write: async () => confirm(unit, await findClaimed(unit, record, message), { record, pin, message: message.id }),
      drop: async () => drop(unit, await findPool(unit, record), message, own),
    };
  },

  event: 'token_pool_confirmed',
};

type Names = Parameters<FactParts['pools']['add']>[0];

async function findTaken({ pools }: FactParts, record: PoolDefinition, names: Names): Promise<string | undefined> {
  const taken = (what: string): string => new ServiceError('definition_name_taken', { what }).message;
  if (await pools.hasName(names)) return taken(`The pool ${record.name}`);
  if (await pools.hasId(names)) return new ServiceError('definition_id_taken', { id: record.id }).message;
  return (await pools.hasPlace(names)) ? taken(`The pool at ${record.locator}`) : undefined;
}

/** Returns the chain's answer about the pool, or starts the check and waits. */
async function judgeByChain(
  parts: FactParts,
  definition: Definition & { readonly block: number },
  record: PoolDefinition,
  located: LocatedPool,
): Promise<Judged> {
  const { unit, pools } = parts;
  const row = await findPool(unit, record);
  // After a reorganisation the definition may be pinned before the pool's new place on the chain is known.
  if (row?.state === 'creating' && (await isCreatedHere(parts, row))) return { waits: poolWait(record) };
  if (row?.claim !== referenceKey(definition.message)) {
    await claim(parts, definition, record, located, row);
    return { waits: poolWait(record) };
  }
  if (row.refusal !== null) return { refusal: row.refusal };
  if (row.state !== 'followed' || !row.verified) return { waits: poolWait(record) };
  const names = { ...record, networkName: record.name, chainKey: located.key };
  return { note: () => pools.add(names, definition.place) };
}

async function isCreatedHere({ unit }: FactParts, { namespace, id, txid }: PoolRow): Promise<boolean> {
  const operations = await unit.rows(
    'operations',
    { namespace, tx: txid ?? '', type: 'token_create_pool', status: ['Initialized', 'Pending'] },
    { limit: maxAttempts },
  );
  return operations.some(({ input }) => input['pool'] === id);
}

/** More than anyone retries. */
const maxAttempts = 1_000;

/**
 * Assigns the pool's row to the definition and starts the operation that checks it against the chain. The row of a pool
 * that this node has defined again stays during the check of an earlier definition: without it, nothing would define
 * the pool if the chain moves it once more.
 */
async function claim(
  { unit, own, now: created, random }: FactParts,
  { message, block }: Definition & { readonly block: number },
  record: PoolDefinition,
  located: LocatedPool,
  row: PoolRow | undefined,
): Promise<void> {
  const { namespace, id: pool, connector } = record;
  const claimed = { claim: referenceKey(message), verified: false, refusal: null };
  const isOurs = row !== undefined && (isOf(row, message, own) || isDefinedAgain(row, message, own));
  if (isOurs) {
    // The rejection of an earlier definition may be decided in this step, and not written yet.
    const state = row.state === 'refused' ? 'known' : row.state;
    await unit.update('pools', { sequence: row.sequence }, { ...placeOf(record, located), ...claimed, state });
  } else {
    // Ids are public before they are pinned, so another member's earlier definition may use an id of this node.
    if (row !== undefined) await removePool(unit, row);
    await unit.insert('pools', [await newPool(unit, record, located, { ...claimed, created, message: message.id })]);
  }
  const tx = (isOurs ? row.txid : await freeTransaction(unit, record)) ?? random.uuid();
  await unit.put('transactions', [newTransaction(namespace, { id: tx, type: 'token_pool', created })]);
  const definer = { author: message.author, block, claim: claimed.claim };
  const id = random.uuid();
  await unit.insert('operations', [newActivation({ id, tx, created, namespace, pool, connector, definer })]);
}

/**
 * Returns the transaction named by the creator, unless that id is in use here, in whatever namespace: anybody may name
 * any id.
 */
async function freeTransaction(unit: Unit, { tx: { id } }: PoolDefinition): Promise<string | null> {
  if (id === undefined) return null;
  return (await unit.has('transactions', { namespace: every, id })) ? null : id;
}

async function newPool(
  unit: Unit,
  record: PoolDefinition,
  located: LocatedPool,
  place: Pick<PoolRow, 'claim' | 'verified' | 'refusal' | 'created' | 'message'>,
): Promise<NewRow<'pools'>> {
  const { namespace, id, name: networkName, type, symbol = null, connector, tx } = record;
  return {
    namespace,
    id,
    networkName,
    type,
    symbol,
    connector,
    ...place,
    ...placeOf(record, located),
    name: await freePoolName(unit, namespace, networkName),
    state: 'known',
    active: false,
    txtype: 'token_pool',
    txid: tx.id ?? null,
    interface: record.interface?.id ?? null,
    interfaceFormat: record.interfaceFormat ?? null,
    methods: record.methods ?? null,
    published: true,
    pin: null,
  };
}

/** The columns that say where on the chain a pool is. */
function placeOf({ locator, key }: PoolDefinition, located: LocatedPool) {
  const { key: chainKey, address, standard, decimals, info } = located;
  return { locator, key: key ?? null, chainKey, address, standard, decimals, info };
}

async function confirm(
  unit: Unit,
  pool: PoolRow,
  { record, pin, message }: { readonly record: PoolDefinition; readonly pin: number; readonly message: string },
): Promise<void> {
  const name = await takePoolName(unit, pool);
  const { name: networkName, interface: its } = record;
  // Since the definition was sent, a local interface may have been given another id in favour of the shared one.
  const shared = its?.id ?? null;
  const changes = { name, networkName, interface: shared, pin, message, active: true, published: true };
  await unit.update('pools', { sequence: pool.sequence }, changes);
}

/**
 * Deletes the rows that were prepared for a rejected definition; a pool that was followed before stays, unpublished.
 */
async function drop(
  unit: Unit,
  row: PoolRow | undefined,
  message: MessageRow,
  own: Pick<OwnIdentity, 'keys'>,
): Promise<void> {
  if (row === undefined || row.pin !== null) return;
  const isPrepared = row.claim === referenceKey(message) || (row.claim === null && isOf(row, message, own));
  if (!isPrepared) return;
  // This node has sent a later definition of the pool, which is judged next.
  if (row.message !== message.id) return unclaimPool(unit, row);
  // A definition of another member may be followed by one of the pool's new place.
  const remove = own.keys.includes(message.key) ? abandonPool : removePool;
  if (row.state !== 'followed') return remove(unit, row);
  const changes = { published: false, message: null, networkName: null, claim: null, verified: false, refusal: null };
  await unit.update('pools', { sequence: row.sequence }, changes);
}

/** Whether this definition was sent by this node for this pool. */
function isOf({ message }: PoolRow, { id, key }: MessageRow, own: Pick<OwnIdentity, 'keys'>): boolean {
  return message === id && own.keys.includes(key);
}

/**
 * Whether this node has sent this definition of its pool and then, after a reorganisation, another one. The row of
 * another member's pool is always claimed by the definition with which it arrived.
 */
function isDefinedAgain(
  { claim: claimed, state, message }: PoolRow,
  { key }: MessageRow,
  own: Pick<OwnIdentity, 'keys'>,
): boolean {
  const isWaiting = (state === 'known' || state === 'refused') && message !== null;
  return isWaiting && own.keys.includes(key) && claimed?.startsWith(`${message}/`) !== true;
}

async function findClaimed(unit: Unit, record: PoolDefinition, message: MessageRow): Promise<PoolRow> {
  const row = await findPool(unit, record);
  assert(row?.claim === referenceKey(message), 'a pool is confirmed by the definition that has claimed it');
  return row;
}

function findPool(unit: Unit, { namespace, id }: PoolDefinition): Promise<PoolRow | undefined> {
  return unit.first('pools', { namespace, id });
}
