import { maskedPin } from '../../../domain/messages/pin.js';
import type { Unit } from '../../../ports/database.js';
import type { NextPinRow } from '../../../ports/tables/messaging-tables.js';
import type { PinRow } from '../../../ports/tables/tables.js';

/**
 * Expects masked pins again that were spent and are taken back. The nonces of a member are spent in their order, so the
 * last ones of a context are those that go.
 */
export async function undoTurns(unit: Unit, pins: readonly PinRow[]): Promise<void> {
  const spent = pins.filter(({ masked, spent: isSpent }) => masked && isSpent);
  if (spent.length === 0) return;
  const gone = new Set(spent.map(({ identity, context }) => `${identity}/${context}`));
  const identities = [...new Set(spent.map(({ identity }) => identity))];
  const rows = await unit.rows('nextpins', { identity: identities }, { limit: maxContexts });
  const moved = rows.flatMap((row) => {
    const nonce = firstGone(row, gone);
    return nonce === row.nonce ? [] : [{ sequence: row.sequence, nonce, hash: expectedAt(row, nonce) }];
  });
  if (moved.length > 0) await unit.updateEach('nextpins', 'sequence', moved);
}

function firstGone(row: NextPinRow, gone: ReadonlySet<string>): number {
  let { nonce } = row;
  while (nonce > 0 && gone.has(`${row.identity}/${expectedAt(row, nonce - 1)}`)) nonce -= 1;
  return nonce;
}

function expectedAt({ topic, group, identity }: NextPinRow, nonce: number): string {
  return maskedPin(topic, group, identity, nonce);
}

/** More private contexts than a node has. */
const maxContexts = 10_000_000;
