import { RE2JS, RE2JSException } from 're2js';
import { ServiceError } from '../wire/error.js';
import { nearestHint } from '../wire/query.js';

/** What a filter reads of an event; what the event lacks is empty text (S §10.4). */
export interface Filterable {
  readonly type: string;
  readonly topics: readonly string[];
  readonly message?:
    | {
        readonly author: string;
        readonly group: string | null;
        readonly tag: string | null;
        readonly topics: readonly string[];
      }
    | undefined;
}

/** Whether an event is one that the subscriber wants. */
export type Filter = (event: Filterable) => boolean;

type Reading = (event: Filterable) => readonly string[];

const readings: Readonly<Record<string, Reading>> = {
  events: (event) => [event.type],
  topic: (event) => event.topics,
  topics: (event) => event.topics,
  'message.topics': (event) => event.message?.topics ?? [],
  'message.topic': (event) => event.message?.topics ?? [],
  'message.author': (event) => [event.message?.author ?? ''],
  author: (event) => [event.message?.author ?? ''],
  'message.group': (event) => [event.message?.group ?? ''],
  group: (event) => [event.message?.group ?? ''],
  'message.tag': (event) => [event.message?.tag ?? ''],
  tag: (event) => [event.message?.tag ?? ''],
};

/** The names that a filter may have. */
export const filterNames: readonly string[] = Object.keys(readings);

const maxExpressionCharacters = 1_024;

/**
 * Unanchored RE2 expressions by name; all must match, and any topic of an event will do (S §10.4).
 *
 * @throws ServiceError unknown_filter (a dropped filter would deliver everything), bad_filter, too_long
 */
export function compileFilter(expressions: ReadonlyMap<string, string>): Filter {
  const tests = [...expressions].map(([name, expression]) => {
    const reading = Object.hasOwn(readings, name) ? readings[name] : undefined;
    if (reading === undefined)
      throw new ServiceError('unknown_filter', { actual: name, hint: nearestHint(name, filterNames) });
    const matches = compileExpression(name, expression);
    return (event: Filterable) => {
      const texts = reading(event);
      return texts.length === 0 ? matches('') : texts.some(matches);
    };
  });
  return (event) => tests.every((test) => test(event));
}

function compileExpression(name: string, expression: string): (text: string) => boolean {
  if (expression.length > maxExpressionCharacters) {
    const unit = 'characters';
    throw new ServiceError('too_long', { field: name, max: maxExpressionCharacters, unit, actual: expression.length });
  }
  try {
    const compiled = RE2JS.compile(expression);
    return (text) => compiled.matcher(text).find();
  } catch (error) {
    if (error instanceof RE2JSException) throw new ServiceError('bad_filter', { field: name, problem: error.message });
    throw error;
  }
}
