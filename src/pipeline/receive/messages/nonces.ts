import { faultOfNonces, noncesBefore, type NonceBefore, pinsToCompare } from '../../../domain/messages/verify.js';
import { groupContext, maskedPin } from '../../../domain/messages/pin.js';
import type { Reader } from '../../../ports/database.js';
import type { PinRow } from '../../../ports/tables/tables.js';
import type { BatchPayload } from '../../../wire/messages/batch.js';
import { batchNameKey, batchNameOf, findBatchesOfPins } from '../../state/messages/exact.js';
import { findMasked, maskedKey } from '../../state/messages/masked.js';

/**
 * Checks the nonces of a private batch (docs/protocol.md §8.3): its author must not have pinned any of them earlier in
 * the log, and must have pinned all lower ones. Only the author's own pins count, so copies by others have no effect.
 * Returns the fault, or undefined.
 */
export async function compareNonces(
  reader: Reader,
  payload: BatchPayload,
  { pins, gaps }: { readonly pins: readonly PinRow[]; readonly gaps: NonceGaps },
): Promise<string | undefined> {
  const wanted = pinsToCompare(payload).map((hash) => ({ identity: payload.author, hash }));
  const found = await findMasked(reader, wanted, { isUnspent: false });
  const first = new Map([...found.values()].map((pin) => [pin.context, pin]));
  const places = pins.map(({ sequence }) => sequence);
  const fault = faultOfNonces(payload, places, new Map([...first].map(([hash, { sequence }]) => [hash, sequence])));
  if (fault !== undefined) return fault;
  const search = { identity: payload.author, nonces: noncesBefore(payload, places), known: first, gaps };
  const isWhole = await areAllBefore(reader, search);
  return isWhole ? undefined : 'a nonce before one that comes before it';
}

/**
 * Nonces of members that were missing when a batch was judged. An author can pin any number of nonces above one that it
 * never pins, and each of its later batches would be compared with all of them.
 */
export interface NonceGaps {
  /** Returns the missing nonce that was found last, which may have been pinned since. */
  find(identity: string, context: string): number | undefined;
  add(identity: string, context: string, nonce: number): void;
}

/** More contexts than members leave a gap in, unless they mean to. */
const maxGaps = 10_000;

export function createNonceGaps(): NonceGaps {
  const gaps = new Map<string, number>();
  return {
    find: (identity, context) => gaps.get(`${identity}/${context}`),
    add(identity, context, nonce) {
      if (gaps.size >= maxGaps) gaps.clear();
      gaps.set(`${identity}/${context}`, nonce);
    },
  };
}

interface Search {
  readonly identity: string;
  readonly nonces: readonly NonceBefore[];
  /** Pins that are read already, by their values. */
  readonly known: ReadonlyMap<string, PinRow>;
  readonly gaps: NonceGaps;
}

/** Nonces looked up in one step back. */
const maxBack = 256;

/**
 * Whether all earlier nonces, down to the first, are earlier in the log. The search stops at pins of held batches,
 * which have passed this check, so it is long only if the author pinned many void or missing batches; and then only
 * once, since the missing nonce is looked up first from then on.
 */
async function areAllBefore(reader: Reader, { identity, nonces, known, gaps }: Search): Promise<boolean> {
  const hashOf = ({ topic, group }: NonceBefore, nonce: number): string => maskedPin(topic, group, identity, nonce);
  const contextOf = ({ topic, group }: NonceBefore): string => groupContext(topic, group);
  const areBefore = async (wanted: readonly (readonly [NonceBefore, number])[]) => {
    const hashes = wanted.map(([each, nonce]) => hashOf(each, nonce));
    const read = await findMasked(
      reader,
      hashes.map((hash) => ({ identity, hash })),
      { isUnspent: false },
    );
    const placeOf = (hash: string): number => read.get(maskedKey({ identity, hash }))?.sequence ?? Infinity;
    const missing = wanted.find(([{ place }], i) => placeOf(hashes[i] ?? '') >= place);
    if (missing !== undefined) gaps.add(identity, contextOf(missing[0]), missing[1]);
    return missing === undefined ? read : undefined;
  };

  const remembered = nonces.flatMap((each) => {
    const nonce = gaps.find(identity, contextOf(each));
    return nonce === undefined || nonce > each.nonce ? [] : [[each, nonce] as const];
  });
  if (remembered.length > 0 && (await areBefore(remembered)) === undefined) return false;
  let open = nonces;
  let found = known;
  for (let back = 1; open.length > 0; back = Math.min(back * 2, maxBack)) {
    const pins = open.flatMap((each) => found.get(hashOf(each, each.nonce)) ?? []);
    const held = await findHeld(reader, pins);
    open = open.filter((each) => each.nonce > 0 && !held.has(hashOf(each, each.nonce)));
    const countOf = ({ nonce }: NonceBefore): number => Math.min(back, nonce);
    const wanted = open.flatMap((each) =>
      Array.from({ length: countOf(each) }, (_, i) => [each, each.nonce - 1 - i] as const),
    );
    const read = await areBefore(wanted);
    if (read === undefined) return false;
    open = open.map((each) => ({ ...each, nonce: each.nonce - countOf(each) }));
    found = new Map([...read.values()].map((pin) => [pin.context, pin]));
  }
  return true;
}

async function findHeld(reader: Reader, pins: readonly PinRow[]): Promise<ReadonlySet<string>> {
  const batches = await findBatchesOfPins(reader, pins);
  const held = new Set(batches.filter(({ state }) => state === 'held').map(batchNameKey));
  return new Set(pins.filter((pin) => held.has(batchNameKey(batchNameOf(pin)))).map(({ context }) => context));
}
