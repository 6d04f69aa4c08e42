import type { Client } from '../../../src/client/client.js';
import { type Entry, type ListName, readPage, type RecordOf } from '../../../src/client/page.js';
import type { RowsOptions } from './rows.js';
import { pageBehind, sortParameters } from './sorting.js';

/** The largest page that a node serves. */
const pageSize = 1_000;

/**
 * Reads a list page by page, up to `max` records, without duplicates.
 *
 * @throws ClientError, UnreachableError
 */
export async function allRows<Name extends ListName>(
  client: Client,
  { list, parameters, sorting, keyOf }: Omit<RowsOptions<Name>, 'subject'>,
  max: number,
): Promise<readonly Entry<RecordOf<Name>>[]> {
  const where = [...parameters, ...sortParameters(sorting), ['limit', String(pageSize)] as const];
  const found = new Map<string, Entry<RecordOf<Name>>>();
  let read: readonly RecordOf<Name>[] = [];
  for (;;) {
    const behind = read.length === 0 ? [] : pageBehind(read, sorting, parameters);
    const { entries } = await readPage(client, list, [...where, ...behind]);
    for (const entry of entries) if (!found.has(keyOf(entry.value))) found.set(keyOf(entry.value), entry);
    const before = read.length;
    read = [...found.values()].map(({ value }) => value);
    if (entries.length < pageSize || read.length >= max || read.length === before) break;
  }
  return [...found.values()].slice(0, max);
}
