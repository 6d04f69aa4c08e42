import { sha256 } from '../../domain/hash.js';
import type { AnswerOf, InputOf } from '../../domain/judgement.js';
import type { Judge } from '../../ports/judge.js';
import { textOf } from '../../wire/json.js';
import { waitOn } from './attempts.js';
import type { Need } from './need.js';
import { createKnownAnswers, type KnownAnswers, type VerdictKind } from './known.js';

/** A judgement that is not there yet: what a context waits on until it is. */
export interface Unjudged {
  readonly waits: string;
}

/** The judgements that one unit needs: nothing is judged in it but what is small. */
export interface Look {
  /** The answer, or what to wait on. `subject` says to people what is judged. */
  answer<K extends VerdictKind>(
    kind: K,
    input: InputOf<K>,
    subject: string,
  ): { readonly answer: AnswerOf<K> } | Unjudged;
  /** The judgements to be made after the unit is committed. */
  needs(): readonly Need[];
}

/** The judgements as one unit sees them. */
export function createLook(judge: Judge, known: KnownAnswers): Look {
  // An answer that a unit has seen stays the same within the unit, even if the cache changes meanwhile.
  const seen = createKnownAnswers();
  const needs = new Map<string, Need>();
  return {
    answer<K extends VerdictKind>(kind: K, input: InputOf<K>, subject: string) {
      const at = judge.now(kind, input);
      if (at !== undefined) return { answer: at };
      const text = textOf(input);
      const key = `${kind}:${sha256(text)}`;
      const found = seen[kind].get(key) ?? known[kind].get(key);
      if (found !== undefined) {
        seen[kind].set(key, found, 0);
        return { answer: found };
      }
      const sizeBytes = Buffer.byteLength(text);
      needs.set(key, {
        ...{ key, subject, sizeBytes },
        judge: async (asking) => known[kind].set(key, await judge.ask(kind, input, asking), sizeBytes),
      });
      return { waits: waitOn(key) };
    },
    needs: () => [...needs.values()],
  };
}
