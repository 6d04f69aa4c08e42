import { earliest, isExpected } from '../../domain/messages/head.js';
import { assert } from '../../domain/invariant.js';
import { maskedPin } from '../../domain/messages/pin.js';
import type { Reader } from '../../ports/database.js';
import type { NextPinRow } from '../../ports/tables/messaging-tables.js';
import type { PinRow } from '../../ports/tables/tables.js';
import { findMasked, maskedKey } from '../state/messages/masked.js';

/** The order of one private context: the next pins of every member, as far as they are read. */
export interface Turns {
  /** The earliest of the members' next pins; `unread` if one of them is not read yet. */
  head(): PinRow | 'unread' | undefined;
  /**
   * Spends the head; its member's next nonce is expected from then on. Pins of valid messages must rise with their
   * nonces.
   */
  spend(isMessage: boolean): PinRow;
  /** Members whose next pin must be read before there is a head. */
  unread(): readonly Turn[];
  moved(): readonly Turn[];
}

export interface Turn {
  readonly row: NextPinRow;
  nonce: number;
  /** All nonces below this one are read. */
  readTo: number;
  /** The member's own unspent pins by nonce. */
  readonly pins: Map<number, PinRow>;
  /** Nonces in the next read; it grows, since a member may have sent one message or a full batch. */
  ahead: number;
  lastSequence: number;
}

const maxAhead = 256;

export function createTurns(rows: readonly NextPinRow[]): Turns {
  // Members of a large group are mostly silent, so fewer nonces are read for each.
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

export function expectedAt({ row: { topic, group, identity } }: Turn, nonce: number): string {
  return maskedPin(topic, group, identity, nonce);
}

/** Reads the next pins of members in one query, several nonces ahead. */
export async function readAhead(reader: Reader, turns: readonly Turn[]): Promise<readonly PinRow[]> {
  const wanted = turns.flatMap((turn) =>
    Array.from({ length: turn.ahead }, (_, i) => {
      const nonce = turn.readTo + i;
      return { turn, nonce, identity: turn.row.identity, hash: expectedAt(turn, nonce) };
    }),
  );
  const found = await findMasked(reader, wanted, { isUnspent: true });
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
