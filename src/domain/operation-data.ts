import { check } from '../wire/check.js';
import { ServiceError } from '../wire/error.js';
import { read } from '../wire/json-reader.js';
import { OperationData } from '../wire/token.js';

/** Longer than anything that a node attaches: a text beyond it is not read at all. */
const maxTextCharacters = 4_096;

/**
 * What the data of an operation on chain says: hearsay, since anybody may write it (S §15.4). Undefined where it is not
 * of this form, or speaks of another kind of operation; it never throws for what others wrote. A message is named by id
 * and hash, or not at all.
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
