import { ServiceError } from '../wire/error.js';
import { textOf, valueOf } from '../wire/json.js';
import type { JsonText } from '../wire/scalar.js';
import type { TokenType } from '../wire/token.js';
import { maxTokensPerMint } from './token-contracts.js';

/** 2^256-1: what a contract can count to. */
export const maxAmount = 2n ** 256n - 1n;

/** Leading zeros mean nothing, and nobody needs more of them. */
const maxDigits = 1_000;

/**
 * An amount as it was written: a JSON number of digits only, a text of decimal digits or a `0x` text. It is read from
 * the text, never through a float. Answers with decimal digits (S §1.4).
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

/** What a mint, transfer or burn says, as far as it can be judged by itself. */
export interface TransferForm {
  readonly kind: 'mint' | 'transfer' | 'burn';
  readonly type: TokenType;
  /** Decimal digits. */
  readonly amount: string;
  readonly tokenIndex: string | undefined;
}

/**
 * A token of a non-fungible pool has an index, which a mint gives out; what is fungible has none (S §15.2).
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
 * The index of a token as it was written, in the ways in which amounts are; answers with decimal digits, undefined for
 * none.
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

/** What the call of an operation carries on chain, as text (S §15.4, 3). */
export function operationData(
  tx: { readonly id: string; readonly type: string },
  message?: { readonly id: string; readonly hash: string },
): JsonText {
  const members = message === undefined ? {} : { message: message.id, messageHash: message.hash };
  return textOf({ tx: tx.id, txtype: tx.type, ...members });
}
