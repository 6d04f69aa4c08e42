import { faultOfNonces, noncesBefore, type NonceBefore, pinsToCompare } from '../../../domain/messages/verify.js';
import { maskedPin } from '../../../domain/messages/pin.js';
import type { Reader } from '../../../ports/database.js';
import type { PinRow } from '../../../ports/tables/tables.js';
import type { BatchPayload } from '../../../wire/messages/batch.js';
import { batchNameKey, batchNameOf, findBatchesOfPins } from '../../common/messages/exact.js';
import { findMasked, maskedKey } from '../../common/messages/masked.js';

/**
 * Checks the nonces of a private batch (docs/protocol.md §8.3): its author must not have pinned any of them earlier in
 * the log, and must have pinned all lower ones. Only the author's own pins count, so copies by others have no effect.
 * Returns the fault, or undefined.
 */
export async function compareNonces(
  reader: Reader,
  payload: BatchPayload,
  pins: readonly PinRow[],
): Promise<string | undefined> {
  const wanted = pinsToCompare(payload).map((hash) => ({ identity: payload.author, hash }));
  const found = await findMasked(reader, wanted, { isUnspent: false });
  const first = new Map([...found.values()].map((pin) => [pin.context, pin]));
  const places = pins.map(({ sequence }) => sequence);
  const fault = faultOfNonces(payload, places, new Map([...first].map(([hash, { sequence }]) => [hash, sequence])));
  if (fault !== undefined) return fault;
  const isWhole = await areAllBefore(reader, payload.author, noncesBefore(payload, places), first);
  return isWhole ? undefined : 'a nonce before one that comes before it';
}

/** Nonces looked up in one step back. */
const maxBack = 256;

/**
 * Whether all earlier nonces, down to the first, are earlier in the log. The search stops at pins of held batches,
 * which have passed this check, so it is long only if the author pinned many void or missing batches.
 */
async function areAllBefore(
  reader: Reader,
  identity: string,
  nonces: readonly NonceBefore[],
  known: ReadonlyMap<string, PinRow>,
): Promise<boolean> {
  const hashOf = ({ topic, group }: NonceBefore, nonce: number): string => maskedPin(topic, group, identity, nonce);
  let open = nonces;
  let found = known;
  for (let back = 1; open.length > 0; back = Math.min(back * 2, maxBack)) {
    const pins = open.flatMap((each) => found.get(hashOf(each, each.nonce)) ?? []);
    const held = await findHeld(reader, pins);
    open = open.filter((each) => each.nonce > 0 && !held.has(hashOf(each, each.nonce)));
    const wanted = open.map((each) =>
      Array.from({ length: Math.min(back, each.nonce) }, (_, i) => hashOf(each, each.nonce - 1 - i)),
    );
    const read = await findMasked(
      reader,
      wanted.flat().map((hash) => ({ identity, hash })),
      { isUnspent: false },
    );
    const placeOf = (hash: string): number => read.get(maskedKey({ identity, hash }))?.sequence ?? Infinity;
    if (open.some(({ place }, i) => wanted[i]?.some((hash) => placeOf(hash) >= place) ?? false)) return false;
    open = open.map((each, i) => ({ ...each, nonce: each.nonce - (wanted[i]?.length ?? 0) }));
    found = new Map([...read.values()].map((pin) => [pin.context, pin]));
  }
  return true;
}

async function findHeld(reader: Reader, pins: readonly PinRow[]): Promise<ReadonlySet<string>> {
  const batches = await findBatchesOfPins(reader, pins);
  const held = new Set(batches.filter(({ state }) => state === 'held').map(batchNameKey));
  return new Set(pins.filter((pin) => held.has(batchNameKey(batchNameOf(pin)))).map(({ context }) => context));
}
