import { createECDH } from 'node:crypto';

/** Derives the chain address, in lower case, of a private key (0x and 64 hexadecimal digits). */
export function addressOf(key: string): string {
  const curve = createECDH('secp256k1');
  curve.setPrivateKey(key.slice(2), 'hex');
  // The first byte only marks an uncompressed point.
  const publicKey = curve.getPublicKey().subarray(1);
  return `0x${Buffer.from(keccak256(publicKey).subarray(12)).toString('hex')}`;
}

const rateBytes = 136;
const mask = (1n << 64n) - 1n;

/**
 * Ethereum's hash: Keccak with the padding from before it became SHA-3, which `node:crypto` lacks. Implemented here so
 * that the command line derives an address without loading a chain library.
 */
export function keccak256(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((bytes.length + 1) / rateBytes) * rateBytes);
  padded.set(bytes);
  padded[bytes.length] = 0x01;
  padded[padded.length - 1] = (padded[padded.length - 1] ?? 0) | 0x80;
  let state = new BigUint64Array(25);
  const words = new DataView(padded.buffer);
  for (let offset = 0; offset < padded.length; offset += rateBytes) {
    for (let i = 0; i < rateBytes / 8; i++) state[i] = at(state, i) ^ words.getBigUint64(offset + i * 8, true);
    state = permute(state);
  }
  const hash = new DataView(new ArrayBuffer(32));
  for (let i = 0; i < 4; i++) hash.setBigUint64(i * 8, at(state, i), true);
  return new Uint8Array(hash.buffer);
}

function permute(input: BigUint64Array<ArrayBuffer>): BigUint64Array<ArrayBuffer> {
  let state = input;
  for (const constant of roundConstants) {
    state = chi(rhoAndPi(theta(state)));
    state[0] = at(state, 0) ^ constant;
  }
  return state;
}

function theta(state: BigUint64Array): BigUint64Array {
  const columns = [0, 1, 2, 3, 4].map((x) => [0, 5, 10, 15, 20].reduce((sum, y) => sum ^ at(state, x + y), 0n));
  return state.map((lane, i) => lane ^ (columns[(i + 4) % 5] ?? 0n) ^ rotate(columns[(i + 1) % 5] ?? 0n, 1));
}

function rhoAndPi(state: BigUint64Array): BigUint64Array {
  const moved = new BigUint64Array(25);
  for (let i = 0; i < 25; i++) {
    const [x, y] = [i % 5, Math.floor(i / 5)];
    moved[y + 5 * ((2 * x + 3 * y) % 5)] = rotate(at(state, i), rotations[i] ?? 0);
  }
  return moved;
}

function chi(state: BigUint64Array): BigUint64Array<ArrayBuffer> {
  const mixed = new BigUint64Array(25);
  for (let i = 0; i < 25; i++) {
    const row = i - (i % 5);
    mixed[i] = at(state, i) ^ (~at(state, row + ((i + 1) % 5)) & at(state, row + ((i + 2) % 5)) & mask);
  }
  return mixed;
}

function rotate(lane: bigint, by: number): bigint {
  return ((lane << BigInt(by)) | (lane >> BigInt(64 - by))) & mask;
}

function at(state: BigUint64Array, index: number): bigint {
  return state[index] ?? 0n;
}

const rotations = [0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14];

/** Generated as in the standard: one bit per position 2^j − 1 and step of a linear feedback register. */
const roundConstants = (() => {
  let register = 1;
  return Array.from({ length: 24 }, () => {
    let constant = 0n;
    for (let j = 0; j < 7; j++) {
      if ((register & 1) === 1) constant |= 1n << BigInt(2 ** j - 1);
      register = (register << 1) ^ (register & 0x80 ? 0x171 : 0);
    }
    return constant;
  });
})();
