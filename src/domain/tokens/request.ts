import { ServiceError } from '../../wire/errors/error.js';
import { textOf, valueOf } from '../../wire/json/json.js';
import type { JsonText } from '../../wire/scalar.js';
import type { TokenType } from '../../wire/token.js';
import { maxTokensPerMint } from './contracts.js';

/** 2^256-1, the largest unsigned integer of a contract. */
export const maxAmount = 2n ** 256n - 1n;

/** Leading zeros are accepted up to this limit. */
const maxDigits = 1_000;

/**
 * Reads an amount: a JSON number of digits only, decimal text or `0x` text, never through a float. Returns decimal
 * digits (docs/api.md §3.2).
 *
 * @throws ServiceError field_required, bad_amount, amount_out_of_range
 */
export function readAmount(field: string, text: JsonText | undefined): string {
  if (text === undefined) throw new ServiceError('field_required', { field, hint: '' });
  const digits = digitsOf(text);
  if (digits === undefined) throw new ServiceError('bad_amount', { field, actual: text });
  const amount = digits.length > maxDigits ? maxAmount + 1n : BigInt(digits);
  if (amount === 0n || amount > maxAmount)
    throw new ServiceError('amount_out_of_range', { field, min: 1, actual: text });
  return String(amount);
}

function digitsOf(text: JsonText): string | undefined {
  const written = text.startsWith('"') ? String(valueOf(text)) : text;
  if (/^\d+$/.test(written)) return written;
  return text.startsWith('"') && /^0x[0-9a-fA-F]+$/.test(written) ? written : undefined;
}

/** The fields of a mint, transfer or burn that can be checked without its pool's state. */
export interface TransferForm {
  readonly kind: 'mint' | 'transfer' | 'burn';
  readonly type: TokenType;
  /** Decimal digits. */
  readonly amount: string;
  readonly tokenIndex: string | undefined;
}

/**
 * Checks the token index: a non-fungible token has one, except in a mint, which assigns it; a fungible token has none
 * (docs/api.md §19.2).
 *
 * @throws ServiceError token_index
 */
export function checkTransfer({ kind, type, amount, tokenIndex }: TransferForm): void {
  if (type === 'fungible') {
    if (tokenIndex === undefined) return;
    throw new ServiceError('token_index', { problem: 'the tokens of a fungible pool have no tokenIndex' });
  }
  if (kind === 'mint') {
    if (tokenIndex !== undefined) {
      throw new ServiceError('token_index', { problem: 'a mint has no tokenIndex, since the pool gives it out' });
    }
    if (BigInt(amount) <= BigInt(maxTokensPerMint)) return;
    const problem = `at most ${maxTokensPerMint} tokens of a non-fungible pool can be minted at once, not ${amount}`;
    throw new ServiceError('token_index', { problem });
  }
  if (tokenIndex === undefined) {
    throw new ServiceError('token_index', { problem: 'tokenIndex is required: it says which token of the pool' });
  }
  if (amount === '1') return;
  throw new ServiceError('token_index', { problem: `with a tokenIndex the amount is 1, not ${amount}` });
}

/**
 * Reads the index of a token, in the formats of amounts. Returns decimal digits, or undefined if it is absent.
 *
 * @throws ServiceError bad_amount, amount_out_of_range
 */
export function readTokenIndex(text: JsonText | undefined): string | undefined {
  if (text === undefined || text === '""' || text === 'null') return undefined;
  const digits = digitsOf(text);
  if (digits === undefined) throw new ServiceError('bad_amount', { field: 'tokenIndex', actual: text });
  if (digits.length > maxDigits || BigInt(digits) > maxAmount) {
    throw new ServiceError('amount_out_of_range', { field: 'tokenIndex', min: 0, actual: text });
  }
  return String(BigInt(digits));
}

/** The data that the call of an operation carries on chain, as text (docs/protocol.md §13.1). */
export function operationData(
  tx: { readonly id: string; readonly type: string },
  message?: { readonly id: string; readonly hash: string },
): JsonText {
  const members = message === undefined ? {} : { message: message.id, messageHash: message.hash };
  return textOf({ tx: tx.id, txtype: tx.type, ...members });
}
