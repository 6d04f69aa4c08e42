import type { AnswerOf } from '../../domain/judgement.js';

export type VerdictKind = 'schema' | 'typed' | 'interface';

export interface AnswerCache<Answer> {
  get(key: string): Answer | undefined;
  /** Caches an answer; `sizeBytes` is the size of the question. */
  set(key: string, answer: Answer, sizeBytes: number): void;
}

/** The cached answers for verdicts: equal questions have equal answers. */
export type KnownAnswers = { readonly [K in VerdictKind]: AnswerCache<AnswerOf<K>> };

export function createKnownAnswers(): KnownAnswers {
  return { schema: createAnswerCache(), typed: createAnswerCache(), interface: createAnswerCache() };
}

/** The limit of cached questions of a kind. */
const maxCachedBytes = 16 * 1024 * 1024;

function createAnswerCache<Answer>(): AnswerCache<Answer> {
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
      // Moves the entry to the end of the eviction order.
      kept.delete(key);
      kept.set(key, found);
      return found.answer;
    },
    set(key, answer, sizeBytes) {
      drop(key);
      kept.set(key, { answer, sizeBytes });
      keptBytes += sizeBytes;
      for (const oldest of kept.keys()) {
        if (keptBytes <= maxCachedBytes || oldest === key) break;
        drop(oldest);
      }
    },
  };
}
