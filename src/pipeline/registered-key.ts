import { everyNamespace, type Reader } from '../ports/database.js';
import { equal } from '../wire/query.js';

/** Whether an identity of the network has a key: only such keys pin, and speak for somebody. */
export async function isRegistered(reader: Reader, key: string): Promise<boolean> {
  return (await reader.count('keys', { namespace: everyNamespace, where: [equal('key', key)] })) > 0;
}

/**
 * The key under which this node defines what a call of another key has led to: that key itself where it may pin, else
 * the organisation's.
 */
export async function definingKey(reader: Reader, own: { readonly key: string }, key: string): Promise<string> {
  return (await isRegistered(reader, key)) ? key : own.key;
}
