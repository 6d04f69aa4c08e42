import { balanceAfter, changesOf } from '../../../domain/tokens/balance.js';
import type { Unit } from '../../../ports/database.js';
import type { BalanceRow, TransferRow } from '../../../ports/tables/token-tables.js';
import { above, every } from '../../../ports/tables/where.js';
import { takeBackEvents } from '../events.js';
import type { Undoing } from '../undoing.js';
import { dropForeignTransactions } from '../transactions.js';

const maxTransfers = 200;

/** Removes the transfers of removed blocks and their effects on balances. */
export async function undoTransfers({ database, after, afterUnit }: Undoing): Promise<void> {
  for (;;) {
    const rows = await database.rows(
      'transfers',
      { namespace: every, block: above(after) },
      { limit: maxTransfers, newestFirst: true },
    );
    if (rows.length === 0) return;
    await database.transaction(async (unit) => {
      const sequences = rows.map(({ sequence }) => sequence);
      await unit.remove('transfers', { sequence: sequences });
      await takeBackEvents(
        unit,
        ['token_transfer_confirmed'],
        rows.map(({ localId }) => localId),
      );
      await dropForeignTransactions(
        unit,
        rows.flatMap(({ txid }) => txid ?? []),
      );
      for (const slot of slotsOf(rows)) await undoBalance(unit, slot);
    });
    await afterUnit();
  }
}

/** The change of one key's balance in a pool or token. */
interface Slot extends Pick<BalanceRow, 'namespace' | 'pool' | 'tokenIndex' | 'key'> {
  by: bigint;
}

function slotsOf(transfers: readonly TransferRow[]): Iterable<Slot> {
  const slots = new Map<string, Slot>();
  for (const transfer of transfers) {
    const { namespace, pool } = transfer;
    for (const { key, tokenIndex, by } of changesOf(transfer)) {
      const name = `${namespace}/${pool}/${tokenIndex}/${key}`;
      const slot = slots.get(name) ?? { namespace, pool, tokenIndex, key, by: 0n };
      slot.by += by;
      slots.set(name, slot);
    }
  }
  return slots.values();
}

/** A key without any remaining transfer never had a balance. */
async function undoBalance(unit: Unit, { namespace, pool, tokenIndex, key, by }: Slot): Promise<void> {
  const row = await unit.first('balances', { namespace, pool, tokenIndex, key });
  if (row === undefined) return;
  const updated = await lastMoved(unit, { namespace, pool, tokenIndex, key });
  if (updated !== undefined) {
    const balance = balanceAfter(row.balance, -by);
    return unit.updateEach('balances', 'sequence', [{ sequence: row.sequence, balance, updated }]);
  }
  await unit.remove('balances', { namespace, pool, tokenIndex, key });
  if (await unit.has('balances', { namespace, pool, key })) return;
  await unit.remove('accountpools', { namespace, pool, key });
  if (!(await unit.has('accountpools', { namespace, key }))) await unit.remove('accounts', { namespace, key });
}

async function lastMoved(unit: Unit, slot: Omit<Slot, 'by'>): Promise<string | undefined> {
  const { namespace, pool, tokenIndex, key } = slot;
  const ofToken = { namespace, pool, ...(tokenIndex !== '' && { tokenIndex }) };
  const given = await unit.last('transfers', { ...ofToken, from: key }, 'block');
  const taken = await unit.last('transfers', { ...ofToken, to: key }, 'block');
  if (given === undefined || taken === undefined) return (given ?? taken)?.created;
  const isTakenLater = taken.block > given.block || (taken.block === given.block && taken.sequence > given.sequence);
  return (isTakenLater ? taken : given).created;
}
