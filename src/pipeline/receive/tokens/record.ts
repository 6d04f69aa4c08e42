import type { Unit } from '../../../ports/database.js';
import type { Random } from '../../../ports/random.js';
import type { NewRow } from '../../../ports/tables/tables.js';
import type { ApprovalEvent, TransferEvent } from '../../../ports/token-connector.js';
import { newEvent } from '../../state/events/event-row.js';
import { type Applied, joined, nothingApplied } from '../chain/applier.js';
import { newBlockchainEvent } from '../contracts/blockchain-event.js';
import type { PoolEvent } from './pool-event.js';
import { moveBalances } from './balances.js';
import { type Attributed, attribute } from './own.js';

export interface RecordParts {
  readonly now: string;
  readonly random: Random;
}

/**
 * Records new events of pools: transfers, approvals and balances with their events, and the end of this node's
 * operations (docs/api.md §19.3). Events already recorded are skipped. The number of statements grows only with
 * balances and own operations.
 */
export async function recordEvents(unit: Unit, events: readonly PoolEvent[], parts: RecordParts): Promise<Applied> {
  const namespaces = new Set(events.map(({ pool }) => pool.namespace));
  const all: Applied[] = [];
  for (const namespace of namespaces) {
    const fresh = await findNew(
      unit,
      namespace,
      events.filter(({ pool }) => pool.namespace === namespace),
    );
    if (fresh.length > 0) all.push(await recordNew(unit, namespace, fresh, parts));
  }
  return all.reduce(joined, nothingApplied);
}

async function recordNew(
  unit: Unit,
  namespace: string,
  events: readonly PoolEvent[],
  parts: RecordParts,
): Promise<Applied> {
  const { now, random } = parts;
  const { attributed, bells } = await attribute(unit, namespace, events, parts);
  const records = attributed.map((each) => ({ each, ...toRows(each, now, random) }));
  const transfers = records.flatMap(({ each, rows }) => {
    const { event } = each;
    return event.type === 'transfer' ? [newTransfer(each, event, rows.record.id)] : [];
  });
  const approvals = records.flatMap(({ each, rows }) => {
    const { event } = each;
    return event.type === 'approval' ? [newApproval(each, event, rows.record.id)] : [];
  });
  await unit.insert(
    'blockchainevents',
    records.map(({ rows }) => rows.record),
  );
  if (transfers.length > 0) await unit.insert('transfers', await moveBalances(unit, namespace, transfers));
  await insertApprovals(unit, namespace, approvals);
  const told = records.flatMap(({ rows, confirmed }) => [rows.event, confirmed]);
  // A transfer recorded again with the same id gets no second event.
  await (attributed.some(({ isAgain }) => isAgain) ? unit.put('events', told) : unit.insert('events', told));
  const counts = { ...countsOf(transfers), ff_blockchain_events_total: records.length };
  return { bells: ['events', ...bells], counts };
}

async function findNew(unit: Unit, namespace: string, events: readonly PoolEvent[]): Promise<readonly PoolEvent[]> {
  const known = new Set<string>();
  for (const table of ['transfers', 'approvals'] as const) {
    const wanted = events.filter(({ event }) => (event.type === 'transfer') === (table === 'transfers'));
    if (wanted.length === 0) continue;
    const pools = [...new Set(wanted.map(({ pool }) => pool.id))];
    const ids = [...new Set(wanted.map(({ protocolId }) => protocolId))];
    const limit = pools.length * ids.length;
    const rows = await unit.rows(table, { namespace, pool: pools, protocolId: ids }, { limit });
    for (const { pool, protocolId } of rows) known.add(`${pool}/${protocolId}`);
  }
  return events.filter(({ pool, protocolId }) => {
    const key = `${pool.id}/${protocolId}`;
    const isNew = !known.has(key);
    known.add(key);
    return isNew;
  });
}

function toRows({ pool, event, protocolId, localId, tx }: Attributed, created: string, random: Random) {
  const { namespace, id: topic } = pool;
  const rows = newBlockchainEvent({
    namespace,
    id: random.uuid(),
    eventId: random.uuid(),
    source: pool.connector,
    name: event.signature.split('(')[0] ?? event.signature,
    signature: event.signature,
    log: event.log,
    protocolId,
    output: event.output,
    listener: null,
    backendId: pool.id,
    origin: pool.id,
    topic,
    tx,
    created,
  });
  const type = event.type === 'transfer' ? 'token_transfer_confirmed' : 'token_approval_confirmed';
  const ofTransaction = { tx: tx?.id ?? null, txtype: tx?.type ?? null };
  const subject = { namespace, id: random.uuid(), type, reference: localId } as const;
  return { rows, confirmed: newEvent({ ...subject, ...ofTransaction, topic, created }) };
}

function newTransfer(
  { pool, protocolId, localId, operationData, tx }: Attributed,
  event: TransferEvent,
  blockchainEvent: string,
): NewRow<'transfers'> {
  const { kind: type, signer: key, from, to, amount, tokenIndex, uri, log } = event;
  const { namespace, id, connector } = pool;
  return {
    namespace,
    type,
    localId,
    pool: id,
    tokenIndex,
    uri,
    connector,
    key,
    from,
    to,
    amount,
    protocolId,
    message: operationData?.message ?? null,
    messageHash: operationData?.messageHash ?? null,
    created: log.time,
    txtype: tx === undefined ? null : 'token_transfer',
    txid: tx?.id ?? null,
    blockchainEvent,
    block: log.position.block,
  };
}

function newApproval(
  { pool, protocolId, localId, operationData, tx }: Attributed,
  event: ApprovalEvent,
  blockchainEvent: string,
): NewRow<'approvals'> {
  const { signer: key, operator, approved, info, subject, log } = event;
  const { namespace, id, connector } = pool;
  return {
    namespace,
    localId,
    pool: id,
    connector,
    key,
    operator,
    approved,
    info,
    protocolId,
    subject,
    active: true,
    message: operationData?.message ?? null,
    messageHash: operationData?.messageHash ?? null,
    created: log.time,
    txtype: tx === undefined ? null : 'token_approval',
    txid: tx?.id ?? null,
    blockchainEvent,
    block: log.position.block,
  };
}

/** Inserts approvals. Only the newest one of each subject in a pool is active (docs/api.md §19.2). */
async function insertApprovals(
  unit: Unit,
  namespace: string,
  approvals: readonly NewRow<'approvals'>[],
): Promise<void> {
  const newest = new Map(approvals.map((row) => [`${row.pool}/${row.subject}`, row]));
  for (const pool of new Set(approvals.map((row) => row.pool))) {
    const subjects = [...newest.values()].filter((row) => row.pool === pool).map(({ subject }) => subject);
    await unit.update('approvals', { namespace, subject: subjects, pool, active: true }, { active: false });
  }
  if (approvals.length === 0) return;
  await unit.insert(
    'approvals',
    approvals.map((row) => ({ ...row, active: newest.get(`${row.pool}/${row.subject}`) === row })),
  );
}

function countsOf(transfers: readonly NewRow<'transfers'>[]): Readonly<Record<string, number>> {
  const count = (kind: TransferEvent['kind']): number => transfers.filter(({ type }) => type === kind).length;
  return {
    ff_mint_confirmed_total: count('mint'),
    ff_transfer_confirmed_total: count('transfer'),
    ff_burn_confirmed_total: count('burn'),
  };
}
