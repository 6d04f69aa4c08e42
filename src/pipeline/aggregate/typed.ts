import { assert } from '../../domain/invariant.js';
import type { ValidationRules } from '../../domain/network/network-rules.js';
import type { TypedValue } from '../../domain/messages/typed-batch.js';
import type { Unit } from '../../ports/database.js';
import type { BatchRow, DataRow, MessageRow } from '../../ports/tables/tables.js';
import type { DatatypeReference } from '../../wire/data/data.js';
import type { JsonText } from '../../wire/scalar.js';
import type { PlainError } from '../../wire/errors/error-again.js';
import { exactItems, exactMessages, referenceKey } from '../state/messages/exact.js';
import { datatypeOf } from '../state/data/data-row.js';
import type { UnitJudge, Unjudged } from '../judging/unit-judge.js';
import type { KnownDatatypes } from './define/known.js';

/** Cached verdicts of batches that are being decided, least recently used first. */
export interface TypedVerdicts {
  /** Returns the refusals of a batch; `judge` runs once for each batch that does not wait. */
  of(batch: BatchRow, judge: () => Promise<Refusals | Unjudged>): Promise<Refusals | Unjudged>;
}

/** Refusals by message key; undefined for an accepted message. */
export type Refusals = ReadonlyMap<string, PlainError | undefined>;

export type JudgedTypes = { readonly refusal: PlainError | undefined } | Unjudged;

/** More than the number of batches in progress at a time. */
const maxKept = 200;

export function createTypedVerdicts(): TypedVerdicts {
  const kept = new Map<string, Refusals>();
  return {
    async of({ id, hash, signer }, judge) {
      const key = `${id}/${hash}/${signer}`;
      const refusals = kept.get(key) ?? (await judge());
      if ('waits' in refusals) return refusals;
      kept.delete(key);
      kept.set(key, refusals);
      for (const oldest of kept.keys()) {
        if (kept.size <= maxKept) break;
        kept.delete(oldest);
      }
      return refusals;
    },
  };
}

export interface TypedParts {
  readonly unit: Unit;
  readonly unitJudge: UnitJudge;
  readonly known: KnownDatatypes;
  readonly verdicts: TypedVerdicts;
  readonly rules: ValidationRules;
}

/**
 * Returns why a message is refused for its typed values. If the network limits the steps of a batch, all messages of
 * the batch are judged together, in order. This is sound because no other pin is between theirs.
 */
export async function findTypedRefusal(
  parts: TypedParts,
  message: MessageRow,
  { place, batch }: { readonly place: number; readonly batch: BatchRow },
): Promise<JudgedTypes> {
  if (parts.rules.maxBatchSteps === undefined) return refusalIn(await judgeMessages(parts, [message], place), message);
  const refusals = await parts.verdicts.of(batch, async () => {
    return judgeMessages(parts, await findTypedMessages(parts.unit, batch), place);
  });
  return refusalIn(refusals, message);
}

function refusalIn(refusals: Refusals | Unjudged, message: MessageRow): JudgedTypes {
  if ('waits' in refusals) return refusals;
  const key = referenceKey(message);
  assert(refusals.has(key), 'a message with typed values is judged with its batch');
  return { refusal: refusals.get(key) };
}

/** Returns why an unpinned message is refused for its typed values. It waits for unknown datatypes. */
export async function findUnpinnedRefusal(parts: TypedParts, message: MessageRow): Promise<JudgedTypes> {
  const { namespace } = message;
  for (const { datatype } of await findTypedItems(parts.unit, [message])) {
    const isKnown = (await parts.known.find(namespace, datatype, undefined)) !== undefined;
    if (!isKnown) return { waits: `datatype:${namespace}/${datatype.name}/${datatype.version}` };
  }
  return refusalIn(await judgeMessages(parts, [message], undefined), message);
}

/** Returns the messages of a batch with typed values, in order, as the batch describes them. */
async function findTypedMessages(unit: Unit, { manifest }: BatchRow): Promise<readonly MessageRow[]> {
  const entries = manifest ?? [];
  const rows = await exactMessages(unit, entries);
  return entries.flatMap((entry) => {
    const row = rows.get(referenceKey(entry));
    assert(row !== undefined, 'a held batch has its messages');
    const message = { ...row, ...entry.items };
    return message.hasDatatypes && message.type !== 'definition' ? [message] : [];
  });
}

async function judgeMessages(
  parts: TypedParts,
  messages: readonly MessageRow[],
  place: number | undefined,
): Promise<Refusals | Unjudged> {
  const namespace = messages[0]?.namespace ?? '';
  const schemas: JsonText[] = [];
  const found = new Map<string, number | undefined>();
  const values = messages.map((): TypedValue[] => []);
  for (const { row, message, datatype, index } of await findTypedItems(parts.unit, messages)) {
    const name = `${datatype.name}@${datatype.version}`;
    if (!found.has(name)) {
      const known = await parts.known.find(namespace, datatype, place);
      found.set(name, known === undefined ? undefined : schemas.push(known.value) - 1);
    }
    values[message]?.push({ index, datatype: name, schema: found.get(name), value: row.value });
  }
  const subject = `values of the namespace ${namespace} by ${[...found.keys()].join(', ').slice(0, maxSubject)}`;
  const judged = parts.unitJudge.answer('typed', { batch: { schemas, messages: values }, rules: parts.rules }, subject);
  if ('waits' in judged) return judged;
  const verdicts = judged.answer;
  return new Map(messages.map((message, i) => [referenceKey(message), verdicts[i]?.refusal]));
}

const maxSubject = 200;

interface TypedItem {
  readonly row: DataRow;
  readonly datatype: DatatypeReference;
  readonly message: number;
  readonly index: number;
}

async function findTypedItems(unit: Unit, messages: readonly MessageRow[]): Promise<readonly TypedItem[]> {
  const references = messages.flatMap(({ data }) => data);
  const rows = await exactItems(unit, references);
  return messages.flatMap(({ data }, message) =>
    data.flatMap((reference, index) => {
      const row = rows.get(referenceKey(reference));
      const datatype = row === undefined || row.validator === 'none' ? undefined : datatypeOf(row);
      return row === undefined || datatype === undefined ? [] : [{ row, datatype, message, index }];
    }),
  );
}
