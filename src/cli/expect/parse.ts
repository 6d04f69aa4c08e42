import { nearestHint } from '../../wire/lists/query.js';
import { CliError } from '../errors/exit.js';
import { type Comparison, readComparison } from './comparison.js';

/** One assertion of `stack expect` (docs/operations.md §11.8). */
export type Assertion = Placed &
  (
    | { readonly kind: 'message'; readonly selectors: Selectors; readonly state: WantedState }
    | {
        readonly kind: 'events';
        readonly type: string;
        readonly selectors: Selectors;
        readonly comparison: Comparison;
      }
    | { readonly kind: 'balance'; readonly pool: string; readonly owner: string; readonly comparison: Comparison }
    | { readonly kind: 'order'; readonly topic: string | undefined }
    | { readonly kind: 'data'; readonly selectors: Selectors; readonly value: string }
  );

interface Placed {
  /** The assertion as it was typed. */
  readonly text: string;
  /** The line of the file, or the number of the argument, from 1. */
  readonly line: number;
  /** The same for errors: `Argument 2`. */
  readonly place: string;
  /** The parties at which it must be met: names or `all`; empty for the selected party. */
  readonly parties: readonly string[];
}

/** Conditions on a message; all must hold. */
export type Selectors = Readonly<Partial<Record<Selector, string>>>;
export type Selector = 'id' | (typeof fields)[number];
export type WantedState = (typeof states)[number];

const fields = ['tag', 'topic', 'type', 'author', 'group'] as const;
const states = ['confirmed', 'rejected', 'cancelled', 'pending', 'absent'] as const;
const kinds = ['message', 'events', 'balance', 'order', 'data'] as const;

/** The usage of each kind, shown with a syntax error. */
const usage: Readonly<Record<(typeof kinds)[number], string>> = {
  message: `message ID|FIELD=VALUE… ${states.join('|')} [on PARTY,…|all]`,
  events: 'events TYPE [FIELD=VALUE…] =|>=|<=|>|< COUNT [on PARTY,…|all]',
  balance: 'balance POOL OWNER =|>=|<=|>|< AMOUNT [on PARTY,…|all]',
  order: 'order [topic=TOPIC] same [on PARTY,…|all]',
  data: 'data ID|FIELD=VALUE… [on PARTY,…|all] equals VALUE|@FILE',
};

export function isKind(word: string): boolean {
  return kinds.some((kind) => kind === word);
}

/** Parses one assertion. @throws CliError USAGE with the line and the right form */
export function parseAssertion(text: string, line: number, place = `Line ${line}`): Assertion {
  const words = splitWords(text);
  const kind = kinds.find((each) => each === words[0]);
  if (kind === undefined) {
    const near = nearestHint(words[0] ?? '', kinds);
    throw new CliError('USAGE', `${place}: unknown kind of assertion "${words[0] ?? ''}"${near}`, {
      hint: `For example: ${usage.message}`,
    });
  }
  const fail = (problem: string) => {
    const end = /[.?]$/.test(problem) ? '' : '.';
    return new CliError('USAGE', `${place}: ${problem}${end}`, { hint: `Write: ${usage[kind]}` });
  };
  const placed = { text: text.trim(), line, place };
  if (kind === 'data') return { ...placed, ...parseData(text, fail) };
  const { before, parties } = splitPlace(words.slice(1), fail);
  if (kind === 'message') return { ...placed, kind, parties, ...parseMessage(before, fail) };
  if (kind === 'order') return { ...placed, kind, parties, topic: parseOrder(before, fail) };
  const { subject, comparison } = splitComparison(before, fail);
  const [first, second, ...more] = subject;
  if (kind === 'events') {
    if (first === undefined || first.includes('=')) throw fail('the type of the events is missing');
    return { ...placed, kind, parties, comparison, type: first, selectors: selectorsOf(subject.slice(1), fail) };
  }
  if (first === undefined || second === undefined) throw fail('the pool or its owner is missing');
  if (more.length > 0) throw fail(`unexpected word "${more[0] ?? ''}"`);
  return { ...placed, kind, parties, comparison, pool: first, owner: second };
}

type Fail = (problem: string) => CliError;

/** Words are separated by white space; double quotes keep it, also in the middle of a word. */
function splitWords(text: string): string[] {
  const words = text.match(/(?:"(?:[^"\\]|\\.)*"|[^\s"]|"(?![^"]*"))+/g) ?? [];
  return words.map((word) =>
    word.replaceAll(/"((?:[^"\\]|\\.)*)"/g, (_, inner: string) => inner.replace(/\\(.)/g, '$1')),
  );
}

function splitPlace(words: readonly string[], fail: Fail) {
  const at = words.lastIndexOf('on');
  if (at < 0) return { before: words, parties: [] };
  return { before: words.slice(0, at), parties: partiesOf(words.slice(at + 1), fail) };
}

function partiesOf(words: readonly string[], fail: Fail): string[] {
  const names = words.flatMap((word) => word.split(',')).filter((name) => name !== '');
  if (names.length === 0) throw fail('the name of a party is missing after "on"');
  return names;
}

function parseMessage(words: readonly string[], fail: Fail) {
  const last = words.at(-1) ?? '';
  const state = states.find((each) => each === last);
  if (state === undefined) throw fail(`unknown state "${last}"${nearestHint(last, states)}`);
  const selectors = selectorsOf(words.slice(0, -1), fail);
  requireSelector(selectors, fail);
  return { selectors, state };
}

function parseOrder(words: readonly string[], fail: Fail): string | undefined {
  if (words.at(-1) !== 'same') throw fail('the word "same" is missing');
  const { topic, ...others } = selectorsOf(words.slice(0, -1), fail);
  const [other] = Object.keys(others);
  if (other !== undefined) throw fail(`order takes only a topic, not "${other}"`);
  return topic;
}

/** The value is the rest of the line, unchanged. */
function parseData(text: string, fail: Fail) {
  const [, head = '', value = ''] = /^\s*data\s+(.*?)\s*\bequals\s+(\S.*?)\s*$/s.exec(text) ?? [];
  if (value === '') throw fail('"equals" and a value are missing');
  const { before, parties } = splitPlace(splitWords(head), fail);
  const selectors = selectorsOf(before, fail);
  requireSelector(selectors, fail);
  return { kind: 'data', selectors, value, parties } as const;
}

function splitComparison(words: readonly string[], fail: Fail) {
  const at = words.findIndex((word) => /^[=<>]/.test(word));
  if (at < 0) throw fail('a comparison such as "= 10" is missing');
  const text = words.slice(at).join('');
  const comparison = readComparison(text);
  if (comparison === undefined) throw fail(`"${text}" is not a comparison with a whole number`);
  return { subject: words.slice(0, at), comparison };
}

function selectorsOf(words: readonly string[], fail: Fail): Selectors {
  const found: Partial<Record<Selector, string>> = {};
  for (const word of words) {
    const [, name = 'id', value = word] = /^([a-z]+)=(.*)$/s.exec(word) ?? [];
    const field = name === 'id' ? name : fields.find((each) => each === name);
    if (field === undefined) throw fail(`unknown field "${name}"${nearestHint(name, fields)}`);
    if (value === '') throw fail(`${name} has no value`);
    if (found[field] !== undefined) throw fail(`${field === 'id' ? 'a second id' : `a second ${field}`}: "${word}"`);
    if (field === 'id' && !/^[0-9a-fA-F-]{4,36}$/.test(value)) {
      throw fail(`"${value}" is neither an id, nor the first 4 or more characters of one, nor FIELD=VALUE`);
    }
    found[field] = field === 'id' ? value.toLowerCase() : value;
  }
  return found;
}

function requireSelector(selectors: Selectors, fail: Fail): void {
  if (Object.keys(selectors).length === 0) throw fail('an id or FIELD=VALUE is missing');
}
