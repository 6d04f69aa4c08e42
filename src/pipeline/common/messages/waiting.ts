import type { Reader } from '../../../ports/database.js';
import type { OperationRow } from '../../../ports/tables/tables.js';
import type { JudgementRow, WaitRow } from '../../../ports/tables/waiting-tables.js';
import { every } from '../../../ports/tables/where.js';
import type { Wait } from '../../../wire/messages/progress.js';
import { detailOf, judgementPrefix, readAttempts } from '../../judging/attempts.js';

/** A context, or the key of an unpinned message, with its names if this node may show them. */
export interface NamedContext {
  readonly key: string;
  readonly topic?: string;
  readonly group?: string;
}

/** Returns why the heads of these contexts cannot be decided, from the rows in `waits` (docs/api.md §10.6). */
export async function waitsOf(reader: Reader, contexts: readonly NamedContext[]): Promise<readonly Wait[]> {
  if (contexts.length === 0) return [];
  const named = new Map(contexts.map((context) => [context.key, context]));
  const rows = await reader.rows('waits', { context: [...named.keys()] }, { limit: maxWaits });
  const [authors, judgements] = await Promise.all([findAuthors(reader, rows), findJudgements(reader, rows)]);
  return rows.map((row) => toWait(row, named.get(row.context), { authors, judgements }));
}

/**
 * Counts contexts whose head cannot be decided: those with a wait, and those of broadcasts whose payload is missing,
 * which have no wait while no other pin follows in them.
 */
export async function countBlocked(reader: Reader): Promise<number> {
  const waits = await reader.count('waits', {});
  const batches = await reader.rows(
    'batches',
    { namespace: every, state: 'wanted', type: 'broadcast' },
    { limit: maxWaits },
  );
  if (batches.length === 0) return waits;
  const ids = batches.map(({ id }) => id);
  const pins = await reader.rows('pins', { batch: ids, spent: false, masked: false }, { limit: maxPins });
  const contexts = [...new Set(pins.map(({ context }) => context))];
  const counted = await reader.rows('waits', { context: contexts }, { limit: maxPins });
  return waits + contexts.length - new Set(counted.map(({ context }) => context)).size;
}

export function operationWaits(operations: readonly OperationRow[]): readonly Wait[] {
  return (
    operations
      // A retried operation is represented by its retry.
      .filter(({ status, retry }) => status !== 'Succeeded' && retry === null)
      .map(({ type, status, error, created, batch }) => ({
        on: 'operation',
        since: created,
        ...(batch !== '' && { batch }),
        detail: `The operation ${type} is ${status}${error === null ? '.' : `: ${error}`}`,
      }))
  );
}

const maxWaits = 1_000;
const maxPins = 10_000;

interface Found {
  readonly authors: ReadonlyMap<string, string>;
  readonly judgements: ReadonlyMap<string, JudgementRow>;
}

function toWait({ on, since }: WaitRow, named: NamedContext | undefined, { authors, judgements }: Found): Wait {
  const { topic, group } = named ?? {};
  const context = { ...(topic !== undefined && { topic }), ...(group !== undefined && { group }) };
  const where = topic === undefined && group === undefined ? {} : { context };
  const [kind = '', rest = ''] = cut(on, ':');
  switch (kind) {
    case 'batch': {
      const [batch = ''] = rest.split('/');
      const author = authors.get(rest);
      const detail = `The batch ${batch} comes first; its payload has not arrived yet.`;
      return { on: 'batch', since, ...where, batch, ...(author !== undefined && { author }), detail };
    }
    case 'blob':
      return { on: 'blob', since, ...where, detail: `The blob ${rest} has not arrived yet.` };
    case 'datatype':
      return { on: 'definition', since, ...where, detail: `The datatype ${rest} is not known here yet.` };
    case 'pool':
      return { on: 'definition', since, ...where, detail: `The token pool ${rest} is compared with the chain first.` };
    case 'judgement': {
      const judgement = judgements.get(rest);
      const detail = judgement === undefined ? 'It is judged, which has not begun yet.' : detailOf(judgement);
      return { on: 'judgement', since, ...where, detail };
    }
    default:
      return { on: 'context', since, ...where, detail: `Another message comes first in the context ${rest}.` };
  }
}

async function findAuthors(reader: Reader, waits: readonly WaitRow[]): Promise<ReadonlyMap<string, string>> {
  const names = waits.flatMap(({ on }) => (on.startsWith('batch:') ? [on.slice('batch:'.length)] : []));
  if (names.length === 0) return new Map();
  const ids = [...new Set(names.map((name) => name.split('/')[0] ?? ''))];
  const batches = await reader.rows('batches', { namespace: every, id: ids }, { limit: maxWaits });
  return new Map(batches.map(({ id, hash, signer, author }) => [`${id}/${hash}/${signer}`, author]));
}

async function findJudgements(reader: Reader, waits: readonly WaitRow[]): Promise<ReadonlyMap<string, JudgementRow>> {
  const isForOne = waits.some(({ on }) => on.startsWith(judgementPrefix));
  return new Map((isForOne ? await readAttempts(reader) : []).map((row) => [row.key, row]));
}

function cut(text: string, mark: string): readonly [string, string] {
  const at = text.indexOf(mark);
  return [text.slice(0, at), text.slice(at + mark.length)];
}
