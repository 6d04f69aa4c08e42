import { readPoolDefinition } from '../../../../domain/definition.js';
import { assert } from '../../../../domain/invariant.js';
import type { Unit } from '../../../../ports/database.js';
import type { MessageRow, NewRow } from '../../../../ports/tables/tables.js';
import type { LocatedPool } from '../../../../ports/token-connector.js';
import type { PoolRow } from '../../../../ports/tables/token-tables.js';
import { every } from '../../../../ports/tables/where.js';
import { ServiceError } from '../../../../wire/errors/error.js';
import type { PoolDefinition } from '../../../../wire/token.js';
import { newActivation } from '../../../operations/activation.js';
import { referenceKey } from '../../../state/messages/exact.js';
import { operationsOfPool, poolWait, removePool } from '../../../state/tokens/pool.js';
import { withdrawPool } from '../../../state/tokens/withdraw-pool.js';
import { newTransaction } from '../../../state/chain/transaction-row.js';
import { freeName } from '../local-name.js';
import { takePoolName } from './pool-name.js';
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
    const { id, namespace, tx } = record;
    return {
      id,
      namespace,
      topic: id,
      transaction: { tx: tx.id ?? null, txtype: 'token_pool' },
      write: async () => confirm(unit, await findClaimed(unit, record, message), { record, pin, message: message.id }),
      drop: async () => withdrawPool(unit, await findPool(unit, record), message, own),
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
  const isOwn = parts.own.keys.includes(definition.message.key);
  if (isOwn && row?.state === 'creating' && (await isBeingCreated(unit, row))) return { waits: poolWait(record) };
  if (row?.claim !== referenceKey(definition.message)) {
    await claim(parts, definition, record, located, row);
    return { waits: poolWait(record) };
  }
  if (row.refusal !== null) return { refusal: row.refusal };
  if (row.verified && !isRowOf(row, record, isOwn)) {
    await takeOver(parts, definition, record, located, row);
    return { waits: poolWait(record) };
  }
  if (row.state !== 'followed' || !row.verified) return { waits: poolWait(record) };
  const names = { ...record, networkName: record.name, chainKey: located.key };
  return { note: () => pools.add(names, definition.place) };
}

async function isBeingCreated(unit: Unit, pool: PoolRow): Promise<boolean> {
  const creations = await operationsOfPool(unit, pool, 'token_create_pool');
  return creations.some(({ status }) => status === 'Initialized' || status === 'Pending');
}

type Claiming = Definition & { readonly block: number };

/**
 * Assigns the pool's row to the definition and starts the operation that checks it against the chain. A pool of this
 * node stays as it is meanwhile, whatever definition has its id: ids are public before they are pinned, and after a
 * reorganisation this node's own definition may name a place that the pool no longer has.
 */
async function claim(
  parts: FactParts,
  definition: Claiming,
  record: PoolDefinition,
  located: LocatedPool,
  row: PoolRow | undefined,
): Promise<void> {
  const { unit } = parts;
  const claimed = { claim: referenceKey(definition.message), verified: false, refusal: null };
  if (row !== undefined && !row.published) {
    const state = row.state === 'refused' ? 'known' : row.state;
    await unit.update('pools', { sequence: row.sequence }, { ...claimed, state });
  } else {
    // It arrived with another definition, whose rejection is decided in this step and not written yet.
    if (row !== undefined) await removePool(unit, row);
    await insertPool(parts, definition, record, located, claimed);
  }
  await startCheck(parts, definition, record, row);
}

/** Replaces a pool of this node by another pool on the chain, which is defined with its id. */
async function takeOver(
  parts: FactParts,
  definition: Claiming,
  record: PoolDefinition,
  located: LocatedPool,
  row: PoolRow,
): Promise<void> {
  await removePool(parts.unit, row);
  const claimed = { claim: referenceKey(definition.message), verified: true, refusal: null };
  await insertPool(parts, definition, record, located, claimed);
  await startCheck(parts, definition, record, undefined);
}

/** Whether a claimed row is the pool of its definition: it arrived with that, or was created here at that place. */
function isRowOf({ published, locator }: PoolRow, record: PoolDefinition, isOwn: boolean): boolean {
  return published || (isOwn && locator === record.locator);
}

async function insertPool(
  { unit, now: created }: FactParts,
  { message: { id: message } }: Definition,
  record: PoolDefinition,
  located: LocatedPool,
  claimed: Pick<PoolRow, 'claim' | 'verified' | 'refusal'>,
): Promise<void> {
  await unit.insert('pools', [await newPool(unit, record, located, { ...claimed, created, message })]);
}

/** Starts the check of a definition; for a pool of this node in the pool's transaction. */
async function startCheck(
  { unit, now: created, random }: FactParts,
  { message, block }: Claiming,
  record: PoolDefinition,
  row: PoolRow | undefined,
): Promise<void> {
  const { namespace, id: pool, connector } = record;
  const tx = (row?.published === false ? row.txid : await freeTransaction(unit, record)) ?? random.uuid();
  await unit.put('transactions', [newTransaction(namespace, { id: tx, type: 'token_pool', created })]);
  const definer = { author: message.author, block, claim: referenceKey(message) };
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
    name: await freeName(unit, 'pools', { namespace, name: networkName }),
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

async function findClaimed(unit: Unit, record: PoolDefinition, message: MessageRow): Promise<PoolRow> {
  const row = await findPool(unit, record);
  assert(row?.claim === referenceKey(message), 'a pool is confirmed by the definition that has claimed it');
  return row;
}

function findPool(unit: Unit, { namespace, id }: PoolDefinition): Promise<PoolRow | undefined> {
  return unit.first('pools', { namespace, id });
}
