import type { Reader } from '../../../ports/database.js';

/** Whether a key belongs to an identity of the network; only such keys can pin. */
export function isRegistered(reader: Reader, key: string): Promise<boolean> {
  return reader.has('keys', { key });
}

/**
 * Returns the key that signs a definition that results from a call: the key of the call if it is registered, else the
 * organisation's.
 */
export async function definingKey(reader: Reader, own: { readonly key: string }, key: string): Promise<string> {
  return (await isRegistered(reader, key)) ? key : own.key;
}
