import { earliest, isExpected } from '../../domain/head.js';
import { assert } from '../../domain/invariant.js';
import { maskedPin } from '../../domain/pin.js';
import type { Unit } from '../../ports/database.js';
import type { NextPinRow } from '../../ports/messaging-tables.js';
import type { PinRow } from '../../ports/tables.js';
import { findMasked, maskedKey } from '../masked.js';

/**
 * Whose turn it is in one private context: the next pin of every member, and those after it as far as they are read.
 */
export interface Turns {
  /** The earliest of the members' next pins; `unread` when one of them must be read first. */
  head(): PinRow | 'unread' | undefined;
  /**
   * Takes the head away: its member's next pin is that of the nonce after it. The pins of valid messages rise with
   * their nonces, or an invariant is broken.
   */
  spend(isMessage: boolean): PinRow;
  /** The turns that must be read before there is a head. */
  unread(): readonly Turn[];
  /** The rows of members whose nonce has moved. */
  moved(): readonly Turn[];
}

/** One member's turn. */
export interface Turn {
  readonly row: NextPinRow;
  nonce: number;
  /** The nonces below it are read. */
  readTo: number;
  /** By nonce, the member's own unspent pin. */
  readonly pins: Map<number, PinRow>;
  /** How many nonces the next read takes: one message is a few, a full batch many. */
  ahead: number;
  lastSequence: number;
}

const maxAhead = 256;

/** The turns of one context, of the rows of all its members. Nothing of the log is read yet. */
export function createTurns(rows: readonly NextPinRow[]): Turns {
  // A large group is mostly silent: its members are looked ahead for less.
  const ahead = Math.max(1, Math.floor(32 / rows.length));
  const turns = rows.map((row): Turn => ({
    row,
    nonce: row.nonce,
    readTo: row.nonce,
    pins: new Map<number, PinRow>(),
    ahead,
    lastSequence: 0,
  }));
  const unread = () => turns.filter(({ nonce, readTo }) => nonce >= readTo);
  const next = () => earliest(turns.flatMap(({ pins, nonce }) => pins.get(nonce) ?? []));
  return {
    head: () => (unread().length > 0 ? 'unread' : next()),
    spend(isMessage) {
      const pin = next();
      const turn = turns.find(({ row }) => row.identity === pin?.identity);
      assert(pin !== undefined && turn !== undefined, 'only a head is spent');
      assert(!isMessage || pin.sequence > turn.lastSequence, 'the nonces of an author rise with the log');
      turn.nonce++;
      turn.lastSequence = pin.sequence;
      return pin;
    },
    unread,
    moved: () => turns.filter(({ row, nonce }) => nonce > row.nonce),
  };
}

/** The masked pin that is expected at a nonce of a member. */
export function expectedAt({ row: { topic, group, identity } }: Turn, nonce: number): string {
  return maskedPin(topic, group, identity, nonce);
}

/** Reads the next pins of members, some nonces ahead, all at once. Resolves with the pins found. */
export async function readAhead(unit: Unit, turns: readonly Turn[]): Promise<readonly PinRow[]> {
  const wanted = turns.flatMap((turn) =>
    Array.from({ length: turn.ahead }, (_, i) => {
      const nonce = turn.readTo + i;
      return { turn, nonce, identity: turn.row.identity, hash: expectedAt(turn, nonce) };
    }),
  );
  const found = await findMasked(unit, wanted, { isUnspent: true });
  for (const { turn, nonce, identity, hash } of wanted) {
    const pin = found.get(maskedKey({ identity, hash }));
    if (pin !== undefined && isExpected(pin, { identity, hash })) turn.pins.set(nonce, pin);
  }
  for (const turn of turns) {
    turn.readTo += turn.ahead;
    turn.ahead = Math.min(turn.ahead * 2, maxAhead);
  }
  return [...found.values()];
}
