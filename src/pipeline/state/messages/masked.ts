import type { Reader } from '../../../ports/database.js';
import type { PinRow } from '../../../ports/tables/tables.js';
import { above } from '../../../ports/tables/where.js';

export interface MaskedPin {
  readonly identity: string;
  readonly hash: string;
}

export function maskedKey({ identity, hash }: MaskedPin): string {
  return `${identity}/${hash}`;
}

const maxPins = 1_000;

/**
 * Finds, for each masked pin, the earliest one in the log that its own member signed; with `isUnspent`, the earliest
 * unspent one. Copies by other members, and repeats, only make the search longer.
 */
export async function findMasked(
  reader: Reader,
  wanted: readonly MaskedPin[],
  { isUnspent }: { readonly isUnspent: boolean },
): Promise<ReadonlyMap<string, PinRow>> {
  const found = new Map<string, PinRow>();
  const state = isUnspent ? ({ spent: false } as const) : {};
  await search(reader, { open: new Map(wanted.map((pin) => [maskedKey(pin), pin])), state, found });
  return found;
}

interface Search {
  readonly open: Map<string, MaskedPin>;
  readonly state: { readonly spent?: false };
  readonly found: Map<string, PinRow>;
}

async function search(reader: Reader, { open, state, found }: Search): Promise<void> {
  for (let after = 0; open.size > 0;) {
    const pins = [...open.values()];
    const identities = [...new Set(pins.map(({ identity }) => identity))];
    const hashes = pins.map(({ hash }) => hash);
    const beyond = after === 0 ? {} : { sequence: above(after) };
    const where = { context: hashes, identity: identities, masked: true, ...state, ...beyond };
    const rows = await reader.rows('pins', where, { limit: maxPins });
    for (const row of rows) {
      const key = maskedKey({ identity: row.identity, hash: row.context });
      if (open.delete(key)) found.set(key, row);
    }
    if (rows.length < maxPins) return;
    // Members may copy each other's pins, so the search continues for each member alone.
    if (identities.length > 1) {
      for (const identity of identities) {
        const own = [...open].filter(([, pin]) => pin.identity === identity);
        await search(reader, { open: new Map(own), state, found });
      }
      return;
    }
    after = rows.at(-1)?.sequence ?? after;
  }
}
