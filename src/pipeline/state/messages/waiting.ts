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

/** The head of a context, as far as it may be named to a message or batch that waits there. */
export interface First {
  /** Whether it is not the one that waits. */
  readonly isOther: boolean;
  readonly names: Pick<Wait, 'message' | 'batch' | 'author'>;
}

/** Finds the heads of contexts. */
export type FindFirst = (contexts: readonly string[]) => Promise<ReadonlyMap<string, First>>;

/** Returns why the heads of these contexts cannot be decided, from the rows in `waits` (docs/api.md §10.6). */
export async function waitsOf(
  reader: Reader,
  contexts: readonly NamedContext[],
  findFirst: FindFirst,
): Promise<readonly Wait[]> {
  if (contexts.length === 0) return [];
  const named = new Map(contexts.map((context) => [context.key, context]));
  const rows = await reader.rows('waits', { context: [...named.keys()] }, { limit: maxWaits });
  const looked = new Set(rows.flatMap(({ context, on }) => [context, ...otherContext(on)]));
  const [first, judgements] = await Promise.all([findFirst([...looked]), findJudgements(reader, rows)]);
  return rows.map((row) => toWait(row, { named, first, judgements }));
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
  readonly named: ReadonlyMap<string, NamedContext>;
  readonly first: ReadonlyMap<string, First>;
  readonly judgements: ReadonlyMap<string, JudgementRow>;
}

function toWait({ context: key, on, since }: WaitRow, { named, first, judgements }: Found): Wait {
  const { topic, group } = named.get(key) ?? {};
  const context = { ...(topic !== undefined && { topic }), ...(group !== undefined && { group }) };
  const where = { since, ...((topic !== undefined || group !== undefined) && { context }) };
  const head = first.get(key) ?? unknown;
  const { author, message } = head.names;
  const other = head.isOther ? head.names : {};
  const [kind = '', rest = ''] = cut(on, ':');
  switch (kind) {
    case 'batch': {
      const [batch = ''] = rest.split('/');
      const detail = `The batch ${batch} comes first; its payload has not arrived yet.`;
      return { on: 'batch', ...where, batch, ...(author !== undefined && { author }), detail };
    }
    case 'blob': {
      const file = message === undefined ? rest : `${rest} of the message ${message}, which comes first,`;
      return { on: 'blob', ...where, ...head.names, detail: `The blob ${file} has not arrived yet.` };
    }
    case 'datatype':
      return { on: 'definition', ...where, detail: `The datatype ${rest} is not known here yet.` };
    case 'pool': {
      const detail = `The token pool ${rest} is compared with the chain first.`;
      return { on: 'definition', ...where, ...other, detail };
    }
    case 'judgement': {
      const judgement = judgements.get(rest);
      const detail = judgement === undefined ? 'It is judged, which has not begun yet.' : detailOf(judgement);
      return { on: 'judgement', ...where, ...other, detail };
    }
    default: {
      const { names } = head.isOther ? head : (first.get(rest) ?? unknown);
      return { on: 'context', ...where, ...names, detail: `${nameOf(names)} comes first.` };
    }
  }
}

const unknown: First = { isOther: false, names: {} };

function nameOf({ message, batch }: First['names']): string {
  if (message !== undefined) return `The message ${message}`;
  return batch === undefined ? 'Another message' : `The batch ${batch}`;
}

/** The context for which the head of another one waits. */
function otherContext(on: string): readonly string[] {
  const [kind, rest] = cut(on, ':');
  return kind === 'context' ? [rest] : [];
}

async function findJudgements(reader: Reader, waits: readonly WaitRow[]): Promise<ReadonlyMap<string, JudgementRow>> {
  const isForOne = waits.some(({ on }) => on.startsWith(judgementPrefix));
  return new Map((isForOne ? await readAttempts(reader) : []).map((row) => [row.key, row]));
}

function cut(text: string, mark: string): readonly [string, string] {
  const at = text.indexOf(mark);
  return [text.slice(0, at), text.slice(at + mark.length)];
}
