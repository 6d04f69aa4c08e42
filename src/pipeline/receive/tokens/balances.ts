import { balanceAfter, changesOf } from '../../../domain/tokens/balance.js';
import type { Unit } from '../../../ports/database.js';
import type { NewRow } from '../../../ports/tables/tables.js';
import type { BalanceRow } from '../../../ports/tables/token-tables.js';

/** The change of one key's balance in a pool or token, while a page is applied. */
interface Slot {
  readonly pool: string;
  readonly tokenIndex: string;
  readonly key: string;
  readonly connector: string;
  by: bigint;
  updated: string;
}

/** The limit of one read, which covers every combination of their pools, tokens and keys. */
const maxSlots = 100;

/**
 * Adds new transfers to the balances, in the unit that records them (docs/protocol.md §13.2). Returns the transfers
 * with their token URIs: the chain gives the URI only at minting, and the token's balances keep it.
 */
export async function moveBalances(
  unit: Unit,
  namespace: string,
  transfers: readonly NewRow<'transfers'>[],
): Promise<readonly NewRow<'transfers'>[]> {
  const slots = slotsOf(transfers);
  const before = await findBalances(unit, namespace, [...slots.values()]);
  const uris = new Map<string, string>();
  for (const { pool, tokenIndex, uri } of before.values()) if (uri !== null) uris.set(`${pool}/${tokenIndex}`, uri);
  const told = transfers.map((transfer) => {
    const token = `${transfer.pool}/${transfer.tokenIndex ?? ''}`;
    if (transfer.uri !== null) uris.set(token, transfer.uri);
    return { ...transfer, uri: uris.get(token) ?? null };
  });
  const fresh: NewRow<'balances'>[] = [];
  const moved: Pick<BalanceRow, 'sequence' | 'balance' | 'updated'>[] = [];
  for (const [name, { by, ...slot }] of slots) {
    const row = before.get(name);
    if (row === undefined) {
      const uri = uris.get(`${slot.pool}/${slot.tokenIndex}`) ?? null;
      fresh.push({ namespace, ...slot, uri, balance: balanceAfter('0', by) });
      continue;
    }
    moved.push({ sequence: row.sequence, balance: balanceAfter(row.balance, by), updated: slot.updated });
  }
  if (moved.length > 0) await unit.updateEach('balances', 'sequence', moved);
  await insertBalances(unit, namespace, fresh);
  return told;
}

function slotsOf(transfers: readonly NewRow<'transfers'>[]): Map<string, Slot> {
  const slots = new Map<string, Slot>();
  for (const transfer of transfers) {
    const { pool, connector, created: updated } = transfer;
    for (const { key, tokenIndex, by } of changesOf(transfer)) {
      const name = nameOf({ pool, tokenIndex, key });
      const slot = slots.get(name) ?? { pool, tokenIndex, key, connector, by: 0n, updated };
      slot.by += by;
      slot.updated = updated;
      slots.set(name, slot);
    }
  }
  return slots;
}

async function findBalances(
  unit: Unit,
  namespace: string,
  slots: readonly Slot[],
): Promise<ReadonlyMap<string, BalanceRow>> {
  const found = new Map<string, BalanceRow>();
  for (let start = 0; start < slots.length; start += maxSlots) {
    const part = slots.slice(start, start + maxSlots);
    const values = (field: 'pool' | 'tokenIndex' | 'key') => [...new Set(part.map((slot) => slot[field]))];
    const [pools, tokens, keys] = [values('pool'), values('tokenIndex'), values('key')];
    const limit = pools.length * tokens.length * keys.length;
    const rows = await unit.rows('balances', { namespace, pool: pools, tokenIndex: tokens, key: keys }, { limit });
    for (const row of rows) found.set(nameOf(row), row);
  }
  return found;
}

/** Balances of 0 are kept, so every key that ever had one has an account (docs/protocol.md §13.2). */
async function insertBalances(unit: Unit, namespace: string, rows: readonly NewRow<'balances'>[]): Promise<void> {
  if (rows.length === 0) return;
  await unit.insert('balances', rows);
  await unit.put(
    'accounts',
    rows.map(({ key, updated }) => ({ namespace, key, updated })),
  );
  await unit.put(
    'accountpools',
    rows.map(({ key, pool, updated }) => ({ namespace, key, pool, updated })),
  );
}

function nameOf({ pool, tokenIndex, key }: Pick<Slot, 'pool' | 'tokenIndex' | 'key'>): string {
  return `${pool}/${tokenIndex}/${key}`;
}
