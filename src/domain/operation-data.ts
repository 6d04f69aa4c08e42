import { check } from '../wire/check.js';
import { ServiceError } from '../wire/errors/error.js';
import { read } from '../wire/json/json-reader.js';
import { OperationData } from '../wire/token.js';

/** Longer than anything that a node attaches; longer texts are not parsed. */
const maxTextCharacters = 4_096;

/**
 * Reads the data of an on-chain operation. Anybody may write it, so it is unverified (docs/protocol.md §13.1). Returns
 * undefined if it is not of this form or is for another kind of operation; it never throws. A message is named by id
 * and hash together, or not at all.
 */
export function readOperationData(
  text: string | undefined,
  txtype: 'token_transfer' | 'token_approval',
): OperationData | undefined {
  if (text === undefined || text.length > maxTextCharacters) return undefined;
  const data = readData(text);
  if (data?.txtype !== txtype) return undefined;
  const { tx, message, messageHash } = data;
  return message === undefined || messageHash === undefined ? { tx, txtype } : { tx, txtype, message, messageHash };
}

function readData(text: string): OperationData | undefined {
  try {
    const { value } = read(text, OperationData);
    return check(OperationData, value) ? value : undefined;
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
