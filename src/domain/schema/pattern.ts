import { RE2JS, RE2JSException } from 're2js';
import type { BudgetVersion } from './budget.js';
import { SchemaFault } from './fault.js';

/** A compiled pattern, with the approximate number of states that each character of a text visits. */
export interface Pattern {
  readonly occursIn: (text: string) => boolean;
  readonly states: number;
}

/** The patterns of one schema; their total size is limited. */
export interface Patterns {
  /** @throws SchemaFault if the pattern is too long, too large, or not accepted by RE2 */
  compile(expression: string): Pattern;
  /** Total states of the patterns compiled so far. */
  states(): number;
}

const maxPatternBytes = 1_024;
/**
 * Total states of the patterns of a schema, with repetitions expanded; compiling that many takes well under a second.
 */
const maxPatternStates = 10_000;
/** States charged for a character class, however often it is repeated. */
const statesPerClass = 30;

/** States charged for each pattern beside its own, in versions that count it. */
const statesPerPattern = 5;

/** Creates a compiler of linear-time patterns (docs/architecture.md §12.3). Each expression is compiled once. */
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
 * Estimates the states of a pattern with repetitions expanded, as RE2 does. Never below the actual number by more than
 * a constant factor.
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
