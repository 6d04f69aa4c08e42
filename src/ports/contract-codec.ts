import type { AbiEntry } from '../domain/contracts/abi.js';
import type { JsonText } from '../wire/scalar.js';
import type { ContractLog } from './blockchain.js';

/** An encoding or decoding error: the argument, the expected form and the actual one. */
export class CodecError extends Error {
  constructor(
    /** Path of the argument, such as `order.items[2]`, or `[2]` for a constructor; empty if no argument is at fault. */
    readonly path: string,
    readonly expected: string,
    options?: ErrorOptions,
  ) {
    super(`${path === '' ? 'The data' : path} must be ${expected}`, options);
    this.name = 'CodecError';
  }
}

/**
 * Encodes and decodes Solidity's ABI, without a chain. Values are JSON text (docs/api.md §20): integers are accepted as
 * number or text and returned as decimal text; bytes are `0x` hex; addresses lower case; tuples objects; unnamed
 * outputs `output`, `output1`, ….
 */
export interface ContractCodec {
  /** First topic of an event: `0x` and 64 digits. */
  topicOf(event: AbiEntry): string;
  /** Encodes the call of a function with arguments by name. Throws CodecError. */
  encodeCall(method: AbiEntry, input: JsonText): string;
  /** Encodes creation code with the constructor's arguments in order. Throws CodecError. */
  encodeDeploy(bytecode: string, constructor: AbiEntry | undefined, input: readonly JsonText[]): string;
  /** Decodes the outputs of a function to an object by name, as text. Throws CodecError. */
  decodeOutput(method: AbiEntry, data: string): JsonText;
  /**
   * Decodes the parameters of an event to an object by name, as text; undefined for a log of another event. Throws
   * CodecError for a log that would take more work than any legitimate one of its length.
   */
  decodeEvent(event: AbiEntry, log: Pick<ContractLog, 'topics' | 'data'>): JsonText | undefined;
  /** Describes a revert, using the contract's own errors: `NotOwner(0x…)`; undefined if it has no reason. */
  decodeError(errors: readonly AbiEntry[], data: string): string | undefined;
}
