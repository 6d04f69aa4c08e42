import { basename } from 'node:path';
import { TypeGuard, type TSchema } from '@sinclair/typebox';
import { Value, type ValueError, ValueErrorType } from '@sinclair/typebox/value';
import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { quote } from '../../client/curl.js';
import { nearestHint } from '../../wire/lists/query.js';
import { StackError } from '../error.js';
import { yamlOptions } from './yaml-options.js';

export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface Problem extends Position {
  readonly message: string;
}

export interface Finding {
  /** JSON pointer of the member. */
  readonly path: string;
  readonly message: string;
  /** Whether the key is wrong, rather than its value. */
  readonly key: boolean;
}

/** The value of a YAML text, with the positions of its members. */
export interface YamlText {
  readonly value: unknown;
  /** The position of a member, or of its nearest existing ancestor. */
  position(path: string, key?: boolean): Position;
  /** Converts findings to problems of the text, in its order. */
  problemsOf(findings: readonly Finding[]): Problem[];
}

/** Returns the message for keys and values that this version does not support yet; undefined for others. */
export type Later = (path: string, value: unknown) => string | undefined;

const maxFileBytes = 262_144;

/**
 * Parses a YAML text.
 *
 * @throws StackError STACK_FILE_INVALID with all syntax problems; aliases are refused
 */
export function readYaml(text: string, file: string): YamlText {
  if (Buffer.byteLength(text) > maxFileBytes) {
    throw new InvalidFile(file, [{ line: 1, column: 1, message: `The file is larger than ${maxFileBytes} bytes.` }]);
  }
  const lines = new LineCounter();
  // The parser takes the byte order mark of some editors for an indentation.
  const document = parseDocument(text.replace(/^\uFEFF/, ''), {
    ...yamlOptions,
    lineCounter: lines,
    prettyErrors: false,
  });
  if (document.errors.length > 0) {
    throw new InvalidFile(
      file,
      document.errors.map(({ pos, message }) => ({ ...at(lines, pos[0]), message })),
    );
  }
  const aliases = aliasProblems(document, lines);
  if (aliases.length > 0) throw new InvalidFile(file, aliases);
  const position = positionsIn(document, lines);
  return {
    value: document.toJS(),
    position,
    problemsOf: (findings) =>
      findings
        .map(({ path, key, message }) => ({ ...position(path, key), message }))
        .toSorted((one, other) => one.line - other.line || one.column - other.column),
  };
}

/** The files that `stack config validate` can check. */
const checked: readonly string[] = ['stack.yaml', 'config.yaml'];

/** Names the file, so that the command works for any stack, and without one. */
function validateCommand(file: string): string {
  return `stack config validate ${quote(file)}`;
}

/** A file with problems; its message contains the first. */
export class InvalidFile extends StackError {
  readonly file: string;
  readonly problems: readonly Problem[];

  constructor(file: string, problems: readonly Problem[]) {
    const [first] = problems;
    const place = `${file}:${first?.line ?? 1}:${first?.column ?? 1}`;
    const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
    super('STACK_FILE_INVALID', `${place}: ${first?.message ?? 'It cannot be read.'}${more}`, {
      ...(problems.length > 1 &&
        checked.includes(basename(file)) && { hint: `See all of them: ${validateCommand(file)}` }),
      details: { path: file, problems },
    });
    this.file = file;
    this.problems = problems;
  }
}

const nothingLater: Later = () => undefined;

/** All differences of a value from a schema, with the nearest known key for unknown ones. */
export function shapeFindings(schema: TSchema, value: unknown, later: Later = nothingLater): Finding[] {
  const findings = new Map<string, Finding>();
  for (const error of Value.Errors(schema, value)) {
    for (const inner of innermost(error)) {
      const finding = findingOf(inner, later);
      if (!findings.has(finding.path)) findings.set(finding.path, finding);
    }
  }
  return [...findings.values()];
}

/** The errors inside a mapping that is one of several forms, such as a party, instead of "none of the forms". */
function* innermost(error: ValueError): Generator<ValueError> {
  const { schema, value, errors } = error;
  const isMapping = value instanceof Object && !Array.isArray(value);
  const form = TypeGuard.IsUnion(schema) && isMapping ? schema.anyOf.findIndex((each) => TypeGuard.IsObject(each)) : -1;
  const inside = errors[form];
  if (inside === undefined) yield error;
  else for (const each of inside) yield* innermost(each);
}

/** The finding about a key that is unknown or not supported yet. */
function unknownKey(path: string, known: readonly string[], later: Later): Finding {
  const key = path.split('/').at(-1) ?? '';
  return { path, message: later(path, undefined) ?? `The key ${key} is unknown${nearestHint(key, known)}`, key: true };
}

function findingOf({ type, path, value, schema }: ValueError, later: Later): Finding {
  const name = path.slice(1).replaceAll('/', '.');
  if (type === ValueErrorType.ObjectAdditionalProperties) {
    return unknownKey(path, TypeGuard.IsObject(schema) ? Object.keys(schema.properties) : [], later);
  }
  if (type === ValueErrorType.ObjectRequiredProperty) {
    return { path, message: `The key ${name} is missing.`, key: true };
  }
  const sentence = later(path, value) ?? secretSentence(name, value);
  if (sentence !== undefined) return { path, message: sentence, key: false };
  const expected = schema.description ?? 'a mapping';
  const message = `${name || 'The file'} must be ${expected}, not ${JSON.stringify(value) ?? 'nothing'}.`;
  return { path, message, key: false };
}

/** A private key, or a URL with a password; no error may repeat it. */
const secret = /(?:0x)?[0-9a-f]{64}|-----BEGIN|[a-z][a-z0-9+.-]*:\/\/[^/@\s"]+:[^/@\s"]+@/i;

function secretSentence(name: string, value: unknown): string | undefined {
  if (!secret.test(JSON.stringify(value) ?? '')) return undefined;
  return `${name} contains a secret. Move it to a file of mode 0600, and refer to that file.`;
}

/** Refuses aliases, which can expand a small text to an endless value. */
function aliasProblems(document: Document, lines: LineCounter): Problem[] {
  const problems: Problem[] = [];
  visit(document, {
    Alias: (_, { source, range }) => {
      problems.push({
        ...at(lines, range?.[0] ?? 0),
        message: `Aliases are not allowed: replace *${source} by its value.`,
      });
    },
  });
  return problems;
}

function positionsIn(document: Document, lines: LineCounter): YamlText['position'] {
  return (path, key = false) => {
    const segments = path.split('/').slice(1);
    for (let depth = segments.length; depth >= 0; depth--) {
      const offset = offsetOf(document, segments.slice(0, depth), key && depth === segments.length);
      if (offset !== undefined) return at(lines, offset);
    }
    return { line: 1, column: 1 };
  };
}

function offsetOf(document: Document, segments: readonly string[], key: boolean): number | undefined {
  const last = segments.at(-1);
  if (key && last !== undefined) {
    const parent = segments.length === 1 ? document.contents : document.getIn(segments.slice(0, -1), true);
    const pair = isMap(parent) ? parent.items.find((item) => isScalar(item.key) && item.key.value === last) : undefined;
    return isNode(pair?.key) ? pair.key.range?.[0] : undefined;
  }
  const node = segments.length === 0 ? document.contents : document.getIn(segments, true);
  return isNode(node) ? node.range?.[0] : undefined;
}

function at(lines: LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}
