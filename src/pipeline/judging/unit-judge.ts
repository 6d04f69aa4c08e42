import { sha256 } from '../../domain/hash.js';
import type { AnswerOf, InputOf } from '../../domain/judgement.js';
import type { Judge } from '../../ports/judge.js';
import { textOf } from '../../wire/json/json.js';
import { waitOn } from './attempts.js';
import type { Need } from './need.js';
import { createKnownAnswers, type KnownAnswers, type VerdictKind } from './known.js';

/** A missing judgement; `waits` is the `on` of the wait for it. */
export interface Unjudged {
  readonly waits: string;
}

/** Answers questions within one unit: small ones directly, others from the cache. */
export interface UnitJudge {
  /** Returns the answer or what to wait for. `subject` describes the question to users. */
  answer<K extends VerdictKind>(
    kind: K,
    input: InputOf<K>,
    subject: string,
  ): { readonly answer: AnswerOf<K> } | Unjudged;
  /** The judgements to be made after the commit. */
  needs(): readonly Need[];
}

export function createUnitJudge(judge: Judge, known: KnownAnswers): UnitJudge {
  // An answer stays the same within a unit, even if the cache evicts it.
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
        key,
        subject,
        sizeBytes,
        judge: async (asking) => known[kind].set(key, await judge.ask(kind, input, asking), sizeBytes),
      });
      return { waits: waitOn(key) };
    },
    needs: () => [...needs.values()],
  };
}
