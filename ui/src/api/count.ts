import { Type } from '@sinclair/typebox';
import type { Client } from '../../../src/client/client.js';
import { refusal } from '../../../src/client/client.js';
import { readAs } from './read-as.js';

const Counted = Type.Object({ total: Type.Integer() });

/** Counts the records of a list. @throws ClientError, UnreachableError */
export async function countOf(client: Client, path: string, signal: AbortSignal): Promise<number> {
  const separator = path.includes('?') ? '&' : '?';
  const answer = await client.exchange({ method: 'GET', path: `${path}${separator}count=true&limit=1`, signal });
  if (answer.status !== 200) throw refusal(answer);
  return readAs(Counted, answer.text).total;
}
