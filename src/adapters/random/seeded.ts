import type { Random } from '../../ports/random.js';

export interface SeededRandom extends Random {
  /** An integer from 0 to below `max`. */
  integer(max: number): number;

  /** A number from 0 to below 1. */
  fraction(): number;
}

const twoTo32 = 0x1_0000_0000;

/**
 * Creates a deterministic generator: the same seed always gives the same values (xoshiro128**, seeded by splitmix32).
 * For tests only, not for secrets.
 */
export function createSeededRandom(seed: number): SeededRandom {
  const next = createGenerator(seed);
  const fraction = (): number => next() / twoTo32;
  const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, () => next() >>> 24);
  return {
    fraction,
    bytes,
    integer: (max) => Math.floor(fraction() * max),
    uuid: () => uuidOf(bytes(16)),
  };
}

function createGenerator(seed: number): () => number {
  // For a seed beyond 32 bits, both halves count.
  const [low, high] = [createSplitMix(seed >>> 0), createSplitMix(Math.floor(seed / twoTo32) >>> 0)];
  let [a, b, c, d] = [low(), high(), low(), high()];
  return () => {
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotate(d, 11);
    return result;
  };
}

function createSplitMix(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x9e37_79b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0_aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a_2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

function uuidOf(bytes: Uint8Array): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Buffer.from(bytes).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
