import type { AbiEntry } from '../domain/contract-abi.js';
import type { JsonText } from '../wire/scalar.js';
import type { ContractLog } from './blockchain.js';

/** What cannot be encoded or decoded: which argument, what was expected, what came. */
export class CodecError extends Error {
  constructor(
    /** Path of the argument, such as `order.items[2]`, or `[2]` of a constructor; empty where none is to blame. */
    readonly path: string,
    readonly expected: string,
    options?: ErrorOptions,
  ) {
    super(`${path === '' ? 'The data' : path} must be ${expected}`, options);
    this.name = 'CodecError';
  }
}

/**
 * Solidity's ABI, without a chain. Values go in and come out as JSON text (S §16): whole numbers as number or text, out
 * as decimal text; bytes `0x` hex; addresses in lower case; tuples as objects; unnamed outputs `output`, `output1`, ….
 */
export interface ContractCodec {
  /** First topic of an event: `0x` and 64 digits. */
  topicOf(event: AbiEntry): string;
  /** Call data of a function with its arguments by name. Throws CodecError. */
  encodeCall(method: AbiEntry, input: JsonText): string;
  /** Creation code with the constructor's arguments in order. Throws CodecError. */
  encodeDeploy(bytecode: string, constructor: AbiEntry | undefined, input: readonly JsonText[]): string;
  /** The outputs of a function by name: text of an object. Throws CodecError. */
  decodeOutput(method: AbiEntry, data: string): JsonText;
  /**
   * The parameters of an event by name: text of an object; undefined for a log of another event. Throws CodecError for
   * one that would take more work than any honest log of its length.
   */
  decodeEvent(event: AbiEntry, log: Pick<ContractLog, 'topics' | 'data'>): JsonText | undefined;
  /** A revert in words, with the contract's own errors known: `NotOwner(0x…)`; undefined where it says nothing. */
  decodeError(errors: readonly AbiEntry[], data: string): string | undefined;
}
