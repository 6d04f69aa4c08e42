import { assert } from '../../domain/invariant.js';
import type { ValidationRules } from '../../domain/network-rules.js';
import type { TypedValue } from '../../domain/typed-batch.js';
import { everyNamespace, type Unit } from '../../ports/database.js';
import type { BatchRow, DataRow, MessageRow } from '../../ports/tables.js';
import type { DatatypeReference } from '../../wire/data.js';
import type { JsonText } from '../../wire/scalar.js';
import type { PlainError } from '../../wire/error-again.js';
import { findExact, referenceKey } from '../exact.js';
import { datatypeOf } from '../rows.js';
import type { Look, Unjudged } from '../judging/look.js';
import type { KnownDatatypes } from './define/known.js';

/** Verdicts of batches that are being decided; the ones used last are kept. */
export interface TypedVerdicts {
  /** By message, why it is refused; judged once for a batch, or what to wait on until it is. */
  of(batch: BatchRow, judge: () => Promise<Refusals | Unjudged>): Promise<Refusals | Unjudged>;
}

/** Why messages are refused, by what they are known by; undefined for one that is not. */
export type Refusals = ReadonlyMap<string, PlainError | undefined>;

/** Why a message is refused for its typed values, or what it waits on until that is known. */
export type JudgedTypes = { readonly refusal: PlainError | undefined } | Unjudged;

/** More than the batches whose messages wait for something else, while others are decided. */
const maxKept = 200;

/** An empty collection of verdicts. */
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
  readonly look: Look;
  readonly known: KnownDatatypes;
  readonly verdicts: TypedVerdicts;
  readonly rules: ValidationRules;
}

/**
 * Why a message is refused for its typed values, at its place in the order. Where the network limits the steps of a
 * batch, all messages of its batch are judged together, in their order: no pin stands between theirs, so what stands
 * before one stands before all.
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

/** Why an unpinned message is refused for its typed values. It waits for datatypes that are not known yet. */
export async function findUnpinnedRefusal(parts: TypedParts, message: MessageRow): Promise<JudgedTypes> {
  const { namespace } = message;
  for (const { datatype } of await findTypedItems(parts.unit, [message])) {
    const isKnown = (await parts.known.find(namespace, datatype, undefined)) !== undefined;
    if (!isKnown) return { waits: `datatype:${namespace}/${datatype.name}/${datatype.version}` };
  }
  return refusalIn(await judgeMessages(parts, [message], undefined), message);
}

/** The messages of a batch that have typed values, in its order, each as the batch describes it. */
async function findTypedMessages(unit: Unit, { manifest }: BatchRow): Promise<readonly MessageRow[]> {
  const entries = manifest ?? [];
  const rows = await findExact(unit, 'messages', { namespace: everyNamespace }, entries);
  return entries.flatMap((entry) => {
    const row = rows.get(referenceKey(entry));
    assert(row !== undefined, 'a held batch has its messages');
    const message = { ...row, ...entry.items };
    return message.hasDatatypes && message.type !== 'definition' ? [message] : [];
  });
}

/** Judges messages of one namespace. */
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
  const judged = parts.look.answer('typed', { batch: { schemas, messages: values }, rules: parts.rules }, subject);
  if ('waits' in judged) return judged;
  const verdicts = judged.answer;
  return new Map(messages.map((message, i) => [referenceKey(message), verdicts[i]?.refusal]));
}

/** Characters of the names of datatypes in what is said about a judgement. */
const maxSubject = 200;

interface TypedItem {
  readonly row: DataRow;
  readonly datatype: DatatypeReference;
  /** Index of its message. */
  readonly message: number;
  /** Index among the items of its message. */
  readonly index: number;
}

async function findTypedItems(unit: Unit, messages: readonly MessageRow[]): Promise<readonly TypedItem[]> {
  const references = messages.flatMap(({ data }) => data);
  const rows = await findExact(unit, 'data', { namespace: everyNamespace }, references);
  return messages.flatMap(({ data }, message) =>
    data.flatMap((reference, index) => {
      const row = rows.get(referenceKey(reference));
      const datatype = row === undefined || row.validator === 'none' ? undefined : datatypeOf(row);
      return row === undefined || datatype === undefined ? [] : [{ row, datatype, message, index }];
    }),
  );
}
