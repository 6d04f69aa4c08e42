import { type Facts, noFacts } from '../../domain/verdict.js';
import type { Unit } from '../../ports/database.js';
import type { MessageRow } from '../../ports/tables.js';
import { ServiceError } from '../../wire/error.js';
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
  find(message: MessageRow, place: number | undefined): Promise<FactsAnswer>;
  /** A message is decided in this step, and what it defines counts from its place on, before anything is written. */
  note(decided: Decided): void;
}

/** The facts as one unit sees them. */
export function createFactFinder(_unit: Unit): FactFinder {
  return {
    async find(message) {
      if (message.type !== 'definition') return { kind: 'facts', facts: noFacts };
      const refusedDefinition = new ServiceError('unknown_definition', { tag: message.tag ?? '' }).message;
      return { kind: 'facts', facts: { refusedDefinition } };
    },
    note() {},
  };
}
