import { type Facts, noFacts } from '../../domain/verdict.js';
import { everyNamespace, type Unit } from '../../ports/database.js';
import type { DataRow, MessageRow, PinRow } from '../../ports/tables.js';
import type { DatatypeReference } from '../../wire/data.js';
import { ServiceError } from '../../wire/error.js';
import { refusalOf } from '../accept/validate.js';
import { findExact, referenceKey } from '../exact.js';
import { datatypeOf } from '../rows.js';
import type { Bell } from '../bus.js';
import { createKnownDatatypes } from './define/known.js';
import { createKnownPools } from './define/known-pools.js';
import type { FactParts } from './define/rule.js';
import { judgeDefinition } from './define.js';
import { findMissingOperation, isTokenOperation } from './operations.js';
import type { Decided } from './record.js';

/** What a verdict needs to know, or what must come before it can be known, as a wait. */
export type FactsAnswer =
  { readonly kind: 'facts'; readonly facts: Facts } | { readonly kind: 'waits'; readonly on: string };

/** The facts of the shared order, as one step of aggregate sees and changes them. */
export interface FactFinder {
  /**
   * The facts for a message whose turn it is: every definition of its namespace that was pinned before it is decided,
   * perhaps in this step. An unpinned message has no place (`undefined`); it alone may wait, for a datatype (S §8.10).
   */
  find(message: MessageRow, pin: PinRow | undefined): Promise<FactsAnswer>;
  /** A message is decided in this step, and what it defines counts from its place on, before anything is written. */
  note(decided: Decided): void;
  /** Whom to wake after the commit: what a definition needs to know may have to be found out first. */
  bells(): readonly Bell[];
}

/** Whether a verdict depends on more than the message. */
export function dependsOnFacts({ hasDatatypes, parentType }: MessageRow): boolean {
  return hasDatatypes || isTokenOperation(parentType);
}

/** The facts as one unit sees them. */
export function createFactFinder(unit: Unit, outer: Omit<FactParts, 'unit' | 'known' | 'pools' | 'noted'>): FactFinder {
  const caches = { known: createKnownDatatypes(unit), pools: createKnownPools(unit), noted: new Set<string>() };
  const parts: FactParts = { ...outer, ...caches, unit };
  let hasWork = false;
  /** What the definitions of this step say, by message. */
  const read = new Map<string, () => void>();
  return {
    async find(message, pin) {
      if (message.type !== 'definition') {
        const missingOperation = await findMissingOperation(parts, message, pin);
        if (missingOperation !== undefined) return { kind: 'facts', facts: { missingOperation } };
        return message.hasDatatypes ? findItemFacts(parts, message, pin?.sequence) : { kind: 'facts', facts: noFacts };
      }
      const judged = await judgeDefinition(parts, message, pin);
      hasWork ||= judged.waits !== undefined;
      if (judged.waits !== undefined) return { kind: 'waits', on: judged.waits };
      if (judged.refusal !== undefined) return { kind: 'facts', facts: { refusedDefinition: judged.refusal } };
      read.set(referenceKey(message), judged.note);
      return { kind: 'facts', facts: noFacts };
    },
    note({ message, verdict }) {
      if (verdict.state === 'confirmed') read.get(referenceKey(message))?.();
    },
    bells: () => (hasWork ? ['operations'] : []),
  };
}

interface TypedItem {
  readonly row: DataRow;
  readonly datatype: DatatypeReference;
  readonly index: number;
}

/** That a datatype is missing comes before that a value breaks one (S §8.7). */
async function findItemFacts(
  { unit, look, known }: FactParts,
  message: MessageRow,
  place: number | undefined,
): Promise<FactsAnswer> {
  const { namespace } = message;
  const items = await findTypedItems(unit, message);
  const found = [];
  for (const item of items) {
    const { datatype, index } = item;
    const row = await known.find(namespace, datatype, place);
    const name = `${datatype.name}@${datatype.version}`;
    if (row !== undefined) found.push({ item, row });
    else if (place === undefined) {
      return { kind: 'waits', on: `datatype:${namespace}/${datatype.name}/${datatype.version}` };
    } else return refused(new ServiceError('datatype_unknown', { index, datatype: name }));
  }
  for (const { item, row } of found) {
    const subject = `a value by the datatype ${row.name}@${row.version} in ${namespace}`;
    const judged = look.answer('value', { schema: row.value, value: item.row.value }, subject);
    if ('waits' in judged) return { kind: 'waits', on: judged.waits };
    const refusal = refusalOf(row, judged.answer, item.index);
    if (refusal !== undefined) return refused(refusal);
  }
  return { kind: 'facts', facts: noFacts };
}

function refused(error: ServiceError): FactsAnswer {
  return { kind: 'facts', facts: { refusedItem: error.message } };
}

async function findTypedItems(unit: Unit, message: MessageRow): Promise<readonly TypedItem[]> {
  const rows = await findExact(unit, 'data', { namespace: everyNamespace }, message.data);
  return message.data.flatMap((reference, index) => {
    const row = rows.get(referenceKey(reference));
    const datatype = row === undefined || row.validator === 'none' ? undefined : datatypeOf(row);
    return row === undefined || datatype === undefined ? [] : [{ row, datatype, index }];
  });
}
