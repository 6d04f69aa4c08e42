import { RE2JS, RE2JSException } from 're2js';
import type { BudgetVersion } from './budget.js';
import { SchemaFault } from './fault.js';

/** A compiled pattern: whether it occurs in a text, and about how many states each character of a text meets. */
export interface Pattern {
  readonly occursIn: (text: string) => boolean;
  readonly states: number;
}

/** Patterns of one schema; together they may not become larger than the limits allow. */
export interface Patterns {
  /** @throws SchemaFault when the pattern is too long, too large, or not of the RE2 kind */
  compile(expression: string): Pattern;
  /** Of all compiled so far. */
  states(): number;
}

const maxPatternBytes = 1_024;
/** Repetitions written out, of all patterns of a schema: so much is compiled in well under a second. */
const maxPatternStates = 10_000;
/** What a class of characters costs to compile, in states, however often it is repeated. */
const statesPerClass = 30;

/** What each pattern costs to compile beside its states, in states, where that is counted. */
const statesPerPattern = 5;

/** Patterns in linear time (assurance S16). The same expression is compiled once. */
export function createPatterns(version: BudgetVersion): Patterns {
  const compiled = new Map<string, Pattern>();
  let states = 0;
  return {
    compile(expression) {
      const known = compiled.get(expression);
      if (known !== undefined) return known;
      if (Buffer.byteLength(expression) > maxPatternBytes) {
        throw new SchemaFault(`a pattern is longer than ${maxPatternBytes} bytes`);
      }
      const size = sizeOfPattern(expression);
      states += version === 1 ? size : size + statesPerPattern;
      if (states > maxPatternStates) {
        throw new SchemaFault(
          `its patterns have more than ${maxPatternStates} states with their repetitions written out`,
        );
      }
      const regular = compileRe2(expression);
      const pattern = { occursIn: (text: string) => regular.test(text), states: size };
      compiled.set(expression, pattern);
      return pattern;
    },
    states: () => states,
  };
}

function compileRe2(expression: string): RE2JS {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(expression));
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new SchemaFault(`the pattern "${expression}" is not an RE2 expression (${error.message})`);
  }
}

const atom = /\\[pP]\{[^}]*\}|\\[pP].|\\[dDwWsS]|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]|[\s\S]/uy;
const repeat = /\{(\d{1,6})(,(\d{0,6}))?\}/y;

/**
 * About how many states a pattern becomes when its repetitions are written out, as RE2 does. Never less than the truth
 * by more than a constant factor.
 */
export function sizeOfPattern(expression: string): number {
  const outer: number[] = [];
  let [sum, last, position] = [0, 0, 0];
  const push = (size: number) => {
    sum += last;
    last = size;
  };
  while (position < expression.length) {
    repeat.lastIndex = position;
    const times = repeat.exec(expression);
    atom.lastIndex = position;
    const text = times?.[0] ?? atom.exec(expression)?.[0] ?? '';
    position += Math.max(1, text.length);
    if (times !== null) last *= Math.max(1, Number(times[1]), Number(times[3] ?? 0)) + (times[3] === '' ? 1 : 0);
    else if (text === '(') {
      outer.push(sum + last);
      [sum, last] = [0, 0];
    } else if (text === ')') {
      const inner = sum + last + 2;
      [sum, last] = [outer.pop() ?? 0, inner];
    } else if (text.length > 1 && !isPlainEscape(text)) {
      sum += statesPerClass;
      push(1);
    } else push(1);
  }
  return outer.reduce((total, size) => total + size, sum + last);
}

function isPlainEscape(text: string): boolean {
  return text.startsWith('\\') && !/^\\[pPdDwWsS]/.test(text);
}
