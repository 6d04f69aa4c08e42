import { ChainError } from '../../../ports/blockchain.js';

/** The fields of a block that are needed. Hashes without `0x`. */
export interface Header {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  /** ISO 8601 with three fractional digits, from whole seconds. */
  readonly time: string;
}

/** Headers of the latest blocks, so that a new block needs no request for its hash and time. */
export interface Headers {
  /**
   * Adds a new head and drops the headers at its height and above. Drops all headers if it does not follow the one
   * below, since those may have been replaced and the blocks in between are not announced.
   */
  add(header: Header): void;

  at(block: number): Header | undefined;

  /** Whether the stored headers link the block `to`, parent by parent, to a block with a known hash. */
  connects(from: { readonly block: number; readonly blockHash: string }, to: number): boolean;

  /** Drops all headers, after heads may have been missed. */
  clear(): void;
}

const maxHeaders = 1_024;
const maxSeconds = 253_402_300_799;

export function createHeaders(): Headers {
  const kept = new Map<number, Header>();
  let highest = -1;
  return {
    add(header) {
      if (header.number <= highest) for (const block of kept.keys()) if (block >= header.number) kept.delete(block);
      if (kept.get(header.number - 1)?.hash !== header.parentHash) kept.clear();
      kept.set(header.number, header);
      highest = header.number;
      const [oldest] = kept.keys();
      if (oldest !== undefined && kept.size > maxHeaders) kept.delete(oldest);
    },

    at: (block) => kept.get(block),

    connects(from, to) {
      let hash = kept.get(to)?.hash;
      for (let block = to; block > from.block && hash !== undefined; block -= 1) {
        const header = kept.get(block);
        hash = header?.hash === hash ? header.parentHash : undefined;
      }
      return hash === from.blockHash;
    },

    clear() {
      kept.clear();
      highest = -1;
    },
  };
}

/** Reads the header of a block or new head. Throws ChainError `unreachable` if it is invalid. */
export function readHeader(answer: unknown): Header {
  const { number, hash, parentHash, timestamp } = readObject(answer);
  return {
    number: readQuantity(number),
    hash: readHash(hash),
    parentHash: readHash(parentHash),
    time: readTime(timestamp),
  };
}

/** Converts a chain's seconds to an ISO time. */
export function readTime(answer: unknown): string {
  const seconds = readQuantity(answer);
  if (seconds > maxSeconds) throw new ChainError('unreachable', 'The chain answered with an invalid time.');
  return new Date(seconds * 1_000).toISOString();
}

/** Reads an object of a response. Throws ChainError `unreachable` if it is not one, as do the functions below. */
export function readObject(answer: unknown): Readonly<Record<string, unknown>> {
  // Any object can be read as a record of unknown members.
  if (typeof answer === 'object' && answer !== null) return answer as Record<string, unknown>;
  throw new ChainError('unreachable', `The chain answered ${String(answer)} where an object was expected.`);
}

export function readQuantity(answer: unknown): number {
  if (typeof answer === 'string' && /^0x[0-9a-f]{1,13}$/i.test(answer)) return Number(answer);
  throw new ChainError('unreachable', `The chain answered ${String(answer)} where a number was expected.`);
}

export function readHash(answer: unknown): string {
  if (typeof answer === 'string' && /^0x[0-9a-f]{64}$/i.test(answer)) return answer.slice(2).toLowerCase();
  throw new ChainError('unreachable', `The chain answered ${String(answer)} where a hash was expected.`);
}

export function readText(answer: unknown): string {
  if (typeof answer === 'string') return answer;
  throw new ChainError('unreachable', `The chain answered ${String(answer)} where text was expected.`);
}
