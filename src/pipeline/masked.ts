import { everyNamespace, type Reader } from '../ports/database.js';
import type { PinRow } from '../ports/tables.js';
import { among, type Condition, equal, oldestFirst } from '../wire/query.js';

/** A masked pin of a member. */
export interface MaskedPin {
  readonly identity: string;
  readonly hash: string;
}

/** Identity and value together, as a key of maps. */
export function maskedKey({ identity, hash }: MaskedPin): string {
  return `${identity}/${hash}`;
}

/** How many pins one read takes. */
const maxPins = 1_000;

/**
 * Finds, for each of the masked pins, the earliest in the log that its own member has signed, if there is one; the
 * earliest unspent one where that is asked for. A pin that copies another member's value, or repeats its own, makes the
 * search longer and hides nothing.
 */
export async function findMasked(
  reader: Reader,
  wanted: readonly MaskedPin[],
  { isUnspent }: { readonly isUnspent: boolean },
): Promise<ReadonlyMap<string, PinRow>> {
  const found = new Map<string, PinRow>();
  const state = isUnspent ? [equal('spent', false)] : [];
  await search(reader, { open: new Map(wanted.map((pin) => [maskedKey(pin), pin])), state, found });
  return found;
}

interface Search {
  /** The pins that are not found yet, by key. */
  readonly open: Map<string, MaskedPin>;
  readonly state: readonly Condition[];
  readonly found: Map<string, PinRow>;
}

async function search(reader: Reader, { open, state, found }: Search): Promise<void> {
  for (let after = 0; open.size > 0;) {
    const pins = [...open.values()];
    const identities = [...new Set(pins.map(({ identity }) => identity))];
    const hashes = pins.map(({ hash }) => hash);
    const beyond: readonly Condition[] = after === 0 ? [] : [{ field: 'sequence', is: 'above', value: after }];
    const where = [among('context', hashes), among('identity', identities), equal('masked', true), ...state, ...beyond];
    const rows = await reader.find('pins', { namespace: everyNamespace, where, sort: oldestFirst, limit: maxPins });
    for (const row of rows) {
      const key = maskedKey({ identity: row.identity, hash: row.context });
      if (open.delete(key)) found.set(key, row);
    }
    if (rows.length < maxPins) return;
    // A member can pin the values of another: apart from each other none of them hides anything.
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
