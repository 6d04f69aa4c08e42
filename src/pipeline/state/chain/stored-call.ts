import { assert } from '../../../domain/invariant.js';
import type { ContractCall } from '../../../ports/blockchain.js';
import type { OperationRow } from '../../../ports/tables/tables.js';

export interface StoredCall {
  readonly operation: string;
  readonly nonce: number;
  readonly raw: string;
  readonly transactionHash: string | null;
  /** Operations that must end before this call is sent (`pipeline/rebuild/calls.ts`). */
  readonly after?: readonly string[];
  /** Set for a call that can never be mined: the empty call that uses its nonce, and the reason. */
  readonly filler?: Filler;
}

export interface Filler {
  readonly raw: string;
  readonly reason: string;
}

export function storedCallOf({ id, nonce, raw, transactionHash, input, output }: OperationRow): StoredCall | undefined {
  if (raw === null) return undefined;
  assert(nonce !== null, 'nonce and bytes are stored together');
  const after = input[afterField];
  const earlier = Array.isArray(after) ? { after: after.map(String) } : {};
  const call = { operation: id, nonce, raw, transactionHash, ...earlier };
  const filler = output?.[fillerField];
  return typeof filler === 'string' ? { ...call, filler: { raw: filler, reason: String(output?.['refused']) } } : call;
}

/** The member of an operation's input that names the operations before it. */
export const afterField = 'after';
const fillerField = 'filler';

export function fillerOf({ filler }: StoredCall): Filler | undefined {
  return filler;
}

/** The bytes that use the nonce. */
export function bytesOf({ raw, filler }: StoredCall): string {
  return filler?.raw ?? raw;
}

/** A call that has no effect except using a nonce. */
export function emptyCall(key: string): ContractCall {
  return { type: 'contract', to: key, data: '0x', gas: 21_000, value: '0' };
}

/** The output of an open operation while an empty call uses its nonce. */
export function fillerOutput({ raw, reason }: Filler): Readonly<Record<string, string>> {
  return { [fillerField]: raw, refused: reason };
}
