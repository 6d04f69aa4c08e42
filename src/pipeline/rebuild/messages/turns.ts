import { maskedPin } from '../../../domain/messages/pin.js';
import type { Unit } from '../../../ports/database.js';
import type { NextPinRow } from '../../../ports/tables/messaging-tables.js';
import type { PinRow } from '../../../ports/tables/tables.js';

/**
 * Makes the contexts expect those masked pins again that were spent and are removed. A member's nonces are spent in
 * order, so the removed ones are the last of a context, with one exception: a void pin may precede the pin of a lower
 * nonce on the chain, and is then spent after it (docs/protocol.md §8.3). Such a pin stays and waits again.
 */
export async function undoTurns(unit: Unit, pins: readonly PinRow[]): Promise<void> {
  const spent = pins.filter(({ masked, spent: isSpent }) => masked && isSpent);
  if (spent.length === 0) return;
  const identities = [...new Set(spent.map(({ identity }) => identity))];
  const rows = await unit.rows('nextpins', { identity: identities }, { limit: maxContexts });
  for (const identity of identities) {
    const isOfMember = (each: { readonly identity: string }) => each.identity === identity;
    const gone = new Set(spent.filter(isOfMember).map(({ context }) => context));
    const turns = goBack(rows.filter(isOfMember), gone);
    const context = turns.flatMap(({ waiting }) => waiting);
    if (context.length > 0) await unit.update('pins', { identity, context, spent: true }, { spent: false });
    const moved = turns.map(({ row, nonce }) => ({ sequence: row.sequence, nonce, hash: expectedAt(row, nonce) }));
    if (moved.length > 0) await unit.updateEach('nextpins', 'sequence', moved);
  }
}

interface TakenBack {
  readonly row: NextPinRow;
  /** The lowest nonce that is removed. */
  nonce: number;
  /** The pins of higher nonces that stay. */
  readonly waiting: string[];
  /** The nonce examined last, and the pins that stay since the last removed one. */
  at: number;
  passed: string[];
}

/** Goes back through the nonces of each member until every removed pin is found. Returns the contexts that have any. */
function goBack(rows: readonly NextPinRow[], left: Set<string>): readonly TakenBack[] {
  const turns = rows.map((row): TakenBack => ({ row, nonce: row.nonce, waiting: [], at: row.nonce, passed: [] }));
  for (const turn of turns) while (stepBack(turn, left));
  while (left.size > 0 && turns.some(({ at }) => at > 0)) for (const turn of turns) stepBack(turn, left);
  return turns.filter(({ row, nonce }) => nonce < row.nonce);
}

/** Examines the previous nonce; returns whether its pin is removed. */
function stepBack(turn: TakenBack, left: Set<string>): boolean {
  if (turn.at === 0) return false;
  turn.at -= 1;
  const pin = expectedAt(turn.row, turn.at);
  const isGone = left.delete(pin);
  if (!isGone) turn.passed.push(pin);
  else {
    turn.nonce = turn.at;
    turn.waiting.push(...turn.passed);
    turn.passed = [];
  }
  return isGone;
}

function expectedAt({ topic, group, identity }: NextPinRow, nonce: number): string {
  return maskedPin(topic, group, identity, nonce);
}

/** More private contexts than a node has. */
const maxContexts = 10_000_000;
