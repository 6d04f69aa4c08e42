import { RE2JS } from 're2js';
import {
  type Filterable,
  filterableOf,
  filterKeyOf,
  filterReadings,
} from '../../../../src/domain/events/filter-fields.js';
import { sizeOfPattern } from '../../../../src/domain/schema/pattern.js';
import type { Event } from '../../../../src/wire/events/event-record.js';
import { parameterOf } from '../../api/filter.js';

export const eventFields = [...filterReadings.keys()];
/** The maximum length of an expression, as in a node. */
const maxExpressionCharacters = 1_024;
/** The maximum number of states, a tenth of a node's, since a filter is applied to thousands of events. */
const maxStates = 1_000;
/** The maximum number of characters of a text that are searched. */
const maxSearched = 1_024;

/** The reason why a filter does not apply to events; undefined if it does. */
export function judgeEventFilter(filter: string): string | undefined {
  const [name, expression] = parameterOf(filter) ?? [];
  if (name === undefined || expression === undefined) return 'Write a filter as field=regular expression (RE2).';
  if (!filterReadings.has(filterKeyOf(name))) return `No field named "${name}". Fields: ${eventFields.join(', ')}.`;
  const compiled = compile(expression);
  return 'problem' in compiled ? compiled.problem : undefined;
}

/** Tests whether an event passes all filters. Invalid filters are ignored. */
export function passes(filters: readonly string[]): (event: Event) => boolean {
  const tests = filters.flatMap((filter) => {
    const [name = '', text = ''] = parameterOf(filter) ?? [];
    const [read, compiled] = [filterReadings.get(filterKeyOf(name)), compile(text)];
    if (read === undefined || 'problem' in compiled) return [];
    const matches = (each: string) => compiled.occursIn(each.slice(0, maxSearched));
    return [
      (event: Filterable) => {
        const texts = read(event);
        return texts.length === 0 ? matches('') : texts.some(matches);
      },
    ];
  });
  return (event) => {
    const fields = filterableOf(event);
    return tests.every((test) => test(fields));
  };
}

type Compiled = { readonly occursIn: (text: string) => boolean } | { readonly problem: string };

/**
 * Compiles an expression with RE2, as nodes do: its time is linear in the text, so that no expression, which may come
 * from a link, can freeze the page. The browser's own expressions have no such limit.
 */
function compile(expression: string): Compiled {
  if (expression.length > maxExpressionCharacters)
    return { problem: `The expression has more than ${maxExpressionCharacters} characters.` };
  if (sizeOfPattern(expression) > maxStates)
    return { problem: `"${expression}" is too large to apply here: use fewer or smaller repetitions.` };
  try {
    const compiled = RE2JS.compile(expression);
    return { occursIn: remembering((text) => compiled.matcher(text).find()) };
  } catch {
    return { problem: `"${expression}" is not a valid regular expression (RE2).` };
  }
}

/** Caches the results for texts, since most events repeat types, tags and topics. */
function remembering(test: (text: string) => boolean): (text: string) => boolean {
  const results = new Map<string, boolean>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    if (results.size >= maxRemembered) results.clear();
    const result = test(text);
    results.set(text, result);
    return result;
  };
}

const maxRemembered = 1_000;
