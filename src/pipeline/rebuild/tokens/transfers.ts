import { balanceAfter, changesOf } from '../../../domain/tokens/balance.js';
import { everyNamespace, type Unit } from '../../../ports/database.js';
import type { BalanceRow, TransferRow } from '../../../ports/tables/token-tables.js';
import { among, equal, oldestFirst } from '../../../wire/lists/query.js';
import { takeBackEvents } from '../events.js';
import type { Undoing } from '../undoing.js';
import { dropForeignTransactions } from '../transactions.js';

const maxTransfers = 200;

/** Takes back the transfers of later blocks, with what they have done to balances. */
export async function undoTransfers({ database, after, afterUnit }: Undoing): Promise<void> {
  const where = [{ field: 'block', is: 'above', value: after } as const];
  const sort = [{ field: 'sequence', descending: true }];
  for (;;) {
    const rows = await database.find('transfers', { namespace: everyNamespace, where, sort, limit: maxTransfers });
    if (rows.length === 0) return;
    await database.transaction(async (unit) => {
      const sequences = rows.map(({ sequence }) => sequence);
      await unit.remove('transfers', { namespace: everyNamespace, where: [among('sequence', sequences)] });
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

/** A key without any transfer that is left has never had a balance. */
async function undoBalance(unit: Unit, { namespace, pool, tokenIndex, key, by }: Slot): Promise<void> {
  const where = [equal('pool', pool), equal('tokenIndex', tokenIndex), equal('key', key)];
  const [row] = await unit.find('balances', { namespace, where, sort: oldestFirst, limit: 1 });
  if (row === undefined) return;
  const updated = await lastMoved(unit, { namespace, pool, tokenIndex, key });
  if (updated !== undefined) {
    const balance = balanceAfter(row.balance, -by);
    return unit.updateEach('balances', 'sequence', [{ sequence: row.sequence, balance, updated }]);
  }
  await unit.remove('balances', { namespace, where });
  const inPool = [equal('pool', pool), equal('key', key)];
  if ((await unit.count('balances', { namespace, where: inPool })) > 0) return;
  await unit.remove('accountpools', { namespace, where: inPool });
  const ofKey = [equal('key', key)];
  if ((await unit.count('accountpools', { namespace, where: ofKey })) === 0) {
    await unit.remove('accounts', { namespace, where: ofKey });
  }
}

async function lastMoved(unit: Unit, slot: Omit<Slot, 'by'>): Promise<string | undefined> {
  const { namespace, pool, tokenIndex, key } = slot;
  const sides = { is: 'any', of: [equal('from', key), equal('to', key)] } as const;
  const token = tokenIndex === '' ? [] : [equal('tokenIndex', tokenIndex)];
  const sort = [
    { field: 'block', descending: true },
    { field: 'sequence', descending: true },
  ];
  const where = [equal('pool', pool), ...token, sides];
  const [last] = await unit.find('transfers', { namespace, where, sort, limit: 1 });
  return last?.created;
}
