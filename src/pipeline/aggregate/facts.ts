import { type Facts, noFacts } from '../../domain/messages/verdict.js';
import type { Unit } from '../../ports/database.js';
import type { BatchRow, MessageRow, PinRow } from '../../ports/tables/tables.js';
import { serviceErrorOf } from '../../wire/errors/error-again.js';
import { referenceKey } from '../state/messages/exact.js';
import type { Bell } from '../bus.js';
import { createKnownDatatypes } from './define/known.js';
import { createKnownPools } from './define/tokens/known-pools.js';
import type { FactParts } from './define/rule.js';
import { judgeDefinition } from './define.js';
import { findMissingOperation, isTokenOperation } from './operations.js';
import type { DecidedMessage } from './record.js';
import { findTypedRefusal, findUnpinnedRefusal } from './typed.js';

export type FactsAnswer =
  { readonly kind: 'facts'; readonly facts: Facts } | { readonly kind: 'waits'; readonly on: string };

export interface Origin {
  readonly pin: PinRow;
  readonly batch: BatchRow;
}

export interface FactFinder {
  /**
   * Finds the facts for a message that is the head of its contexts: every earlier definition of its namespace is
   * decided, perhaps in this step. An unpinned message has no origin, and may wait for a datatype (docs/protocol.md
   * §11.5).
   */
  find(message: MessageRow, origin: Origin | undefined): Promise<FactsAnswer>;
  /** Records a decision, so that its definition counts for later messages of this step. */
  note(decided: DecidedMessage): void;
  /** Bells for work that a waiting definition has started. */
  bells(): readonly Bell[];
}

export function dependsOnFacts({ hasDatatypes, parentType }: MessageRow): boolean {
  return hasDatatypes || isTokenOperation(parentType);
}

export function createFactFinder(unit: Unit, outer: Omit<FactParts, 'unit' | 'known' | 'pools' | 'noted'>): FactFinder {
  const caches = { known: createKnownDatatypes(unit), pools: createKnownPools(unit), noted: new Set<string>() };
  const parts: FactParts = { ...outer, ...caches, unit };
  let hasWork = false;
  /** By message: the function that notes its definition once it is confirmed. */
  const read = new Map<string, () => void>();
  return {
    async find(message, origin) {
      const pin = origin?.pin;
      if (message.type !== 'definition') {
        const missingOperation = await findMissingOperation(parts, message, pin);
        if (missingOperation !== undefined) return { kind: 'facts', facts: { missingOperation } };
        return message.hasDatatypes ? findItemFacts(parts, message, origin) : { kind: 'facts', facts: noFacts };
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

/** A missing datatype is reported before a value that does not conform (docs/protocol.md §8.6). */
async function findItemFacts(parts: FactParts, message: MessageRow, origin: Origin | undefined): Promise<FactsAnswer> {
  const typed = { ...parts, rules: parts.rules.validation };
  const judged =
    origin === undefined
      ? await findUnpinnedRefusal(typed, message)
      : await findTypedRefusal(typed, message, { place: origin.pin.sequence, batch: origin.batch });
  if ('waits' in judged) return { kind: 'waits', on: judged.waits };
  const { refusal } = judged;
  if (refusal === undefined) return { kind: 'facts', facts: noFacts };
  return { kind: 'facts', facts: { refusedItem: serviceErrorOf(refusal).message } };
}
