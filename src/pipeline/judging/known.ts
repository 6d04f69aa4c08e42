import type { AnswerOf } from '../../domain/judgement.js';

/** The kinds of judgements that verdicts on messages depend on. */
export type VerdictKind = 'schema' | 'typed' | 'interface';

/** Answers that were found before, by what was asked. */
export interface Kept<Answer> {
  get(key: string): Answer | undefined;
  /** Keeps an answer, for as much room as what it was asked about takes. */
  set(key: string, answer: Answer, sizeBytes: number): void;
}

/** The answers that verdicts need: equal questions have equal answers, whoever asked first. */
export type KnownAnswers = { readonly [K in VerdictKind]: Kept<AnswerOf<K>> };

/** Nothing is known yet. */
export function createKnownAnswers(): KnownAnswers {
  return { schema: createKept(), typed: createKept(), interface: createKept() };
}

/** The limit on the cached answers of a kind. */
const maxKeptBytes = 16 * 1024 * 1024;

function createKept<Answer>(): Kept<Answer> {
  const kept = new Map<string, { readonly answer: Answer; readonly sizeBytes: number }>();
  let keptBytes = 0;

  function drop(key: string): void {
    keptBytes -= kept.get(key)?.sizeBytes ?? 0;
    kept.delete(key);
  }

  return {
    get(key) {
      const found = kept.get(key);
      if (found === undefined) return undefined;
      // The map is in order of use: what has not been used for longest goes first.
      kept.delete(key);
      kept.set(key, found);
      return found.answer;
    },
    set(key, answer, sizeBytes) {
      drop(key);
      kept.set(key, { answer, sizeBytes });
      keptBytes += sizeBytes;
      for (const oldest of kept.keys()) {
        if (keptBytes <= maxKeptBytes || oldest === key) break;
        drop(oldest);
      }
    },
  };
}
