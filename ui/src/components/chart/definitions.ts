import type { Client } from '../../../../src/client/client.js';
import { readPage } from '../../../../src/client/page.js';
import type { Definitions } from './histogram-shape.js';

/** The largest page that a node serves. */
const maxRead = 1_000;

/** Reads the creation times of the definitions for a namespace within a time range. */
export async function readDefinitions(
  client: Client,
  { from, until }: { readonly from: string; readonly until: string },
  signal: AbortSignal,
): Promise<Definitions> {
  const where = [
    ['type', 'definition'],
    ['created', `[>=${from}`],
    ['created', `[<${until}`],
    ['sort', 'created'],
    ['limit', String(maxRead)],
  ] as const;
  const { entries } = await readPage(client, 'listMessages', where, signal);
  return { times: entries.map(({ value }) => value.header.created), mayBeMore: entries.length === maxRead };
}
