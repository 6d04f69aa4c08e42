import { readFile } from 'node:fs/promises';
import { TypeGuard } from '@sinclair/typebox';
import { Value, type ValueError, ValueErrorType } from '@sinclair/typebox/value';
import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { nearestHint } from '../wire/query.js';
import { requireBindable } from './bind.js';
import { laterSettings, laterValues, settingsOf, StackDefinition, type StackSettings } from './definition.js';
import { StackError } from './error.js';
import { tokenProblems } from './token-settings.js';

/** One thing that is wrong with a definition, and where. */
export interface Problem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

const maxFileBytes = 262_144;
const reservedParties = ['chain', 'store', 'contracts', 'smoke', 'pools', 'supervisor', 'all'];

/**
 * The settings in a definition file.
 *
 * @throws StackError STACK_FILE_INVALID as `parseStackFile`, STACK_NOT_FOUND when there is no such file
 */
export async function readStackFile(path: string): Promise<StackSettings> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new StackError('STACK_NOT_FOUND', `The definition ${path} cannot be read.`, { cause });
  }
  return parseStackFile(text, path);
}

/**
 * The settings in the text of a `stack.yaml`, defaults filled in. Keys that are unknown or belong to a later version,
 * and values that mean nothing, are refused with line and column.
 *
 * @throws StackError STACK_FILE_INVALID with all problems in `details.problems`; BIND_REFUSED
 */
export function parseStackFile(text: string, path: string): StackSettings {
  if (Buffer.byteLength(text) > maxFileBytes) {
    throw invalid(path, [{ line: 1, column: 1, message: `The file is larger than ${maxFileBytes} bytes.` }]);
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const place = placeIn(document, lines);
  if (document.errors.length > 0) {
    throw invalid(
      path,
      document.errors.map(({ pos, message }) => ({ ...at(lines, pos[0]), message })),
    );
  }
  const aliases = aliasProblems(document, lines);
  if (aliases.length > 0) throw invalid(path, aliases);
  const value: unknown = document.toJS();
  const problems = shapeProblems(value).map(({ path: member, message, key }) => ({ ...place(member, key), message }));
  if (problems.length > 0 || !Value.Check(StackDefinition, value)) throw invalid(path, problems);
  const settings = settingsOf(value);
  const clashes = meaningProblems(settings).map(({ path: member, message }) => ({ ...place(member, false), message }));
  if (clashes.length > 0) throw invalid(path, clashes);
  requireBindable(settings, path);
  return settings;
}

/** Aliases can make a small text into an endless value, and nothing in a definition is long enough to need them. */
function aliasProblems(document: Document, lines: LineCounter): Problem[] {
  const problems: Problem[] = [];
  visit(document, {
    Alias: (_, { source, range }) => {
      problems.push({ ...at(lines, range?.[0] ?? 0), message: `Write out what *${source} stands for.` });
    },
  });
  return problems;
}

interface Finding {
  /** JSON pointer of the member. */
  readonly path: string;
  readonly message: string;
  /** The key is wrong, not its value. */
  readonly key: boolean;
}

function shapeProblems(value: unknown): Finding[] {
  const findings = new Map<string, Finding>();
  for (const error of Value.Errors(StackDefinition, value)) {
    const finding = findingOf(error);
    if (!findings.has(finding.path)) findings.set(finding.path, finding);
  }
  return [...findings.values()];
}

function findingOf(error: ValueError): Finding {
  const { path, value, schema } = error;
  const name = path.slice(1).replaceAll('/', '.');
  const last = path.split('/').at(-1) ?? '';
  if (error.type === ValueErrorType.ObjectAdditionalProperties) {
    const later = laterSettings.find(([pattern]) => pattern.test(path));
    const known = TypeGuard.IsObject(schema) ? Object.keys(schema.properties) : [];
    const message = later?.[1] ?? `The key ${last} is unknown${nearestHint(last, known)}`;
    return { path, message, key: true };
  }
  if (error.type === ValueErrorType.ObjectRequiredProperty) {
    return { path, message: `The key ${name} is missing.`, key: true };
  }
  const [values, sentence] = laterValues[path] ?? [[], ''];
  if (values.includes(value)) return { path, message: sentence, key: false };
  const later = laterPartyKey(path, value);
  if (later !== undefined) return later;
  const expected = schema.description ?? 'a mapping';
  const message = `${name || 'The definition'} must be ${expected}, not ${JSON.stringify(value) ?? 'nothing'}.`;
  return { path, message, key: false };
}

/** A party is a text or a mapping, so what is wrong inside the mapping shows only as "neither". */
function laterPartyKey(path: string, value: unknown): Finding | undefined {
  if (!/^\/parties\/\d+$/.test(path) || typeof value !== 'object' || value === null) return undefined;
  for (const key of Object.keys(value)) {
    if (['name', 'org', 'node'].includes(key)) continue;
    const later = laterSettings.find(([pattern]) => pattern.test(`${path}/${key}`));
    const message = later?.[1] ?? `The key ${key} is unknown${nearestHint(key, ['name', 'org', 'node'])}`;
    return { path: `${path}/${key}`, message, key: true };
  }
  return undefined;
}

function meaningProblems(settings: StackSettings): Finding[] {
  const findings: Finding[] = [];
  const seen = new Set<string>();
  settings.parties.forEach((party, index) => {
    const path = `/parties/${index}`;
    if (reservedParties.includes(party.name)) {
      findings.push({ path, message: `A party cannot be called ${party.name}.`, key: false });
    }
    const names = [`name ${party.name}`, `organisation ${party.organization}`, `node ${party.node}`];
    for (const name of names) {
      if (seen.has(name)) findings.push({ path, message: `Two parties have the ${name}.`, key: false });
      seen.add(name);
    }
  });
  if (settings.namespaces.some((namespace) => namespace.startsWith('svc_'))) {
    findings.push({ path: '/namespaces', message: 'Names that begin with svc_ belong to the system.', key: false });
  }
  if (Number.isNaN(Date.parse(settings.chain.genesisTime))) {
    findings.push({ path: '/chain/genesisTime', message: 'chain.genesisTime is no date.', key: false });
  }
  const parties = settings.parties.map(({ name }) => name);
  const ofTokens = tokenProblems(settings.tokens, parties).map((problem) => ({ ...problem, key: false }));
  return [...findings, ...ofTokens];
}

function placeIn(document: Document, lines: LineCounter): (path: string, key: boolean) => Omit<Problem, 'message'> {
  return (path, key) => {
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

function at(lines: LineCounter, offset: number): Omit<Problem, 'message'> {
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}

function invalid(path: string, problems: readonly Problem[]): StackError {
  const [first] = problems;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  const message = `${path}:${first?.line ?? 1}:${first?.column ?? 1}: ${first?.message ?? 'It cannot be read.'}${more}`;
  return new StackError('STACK_FILE_INVALID', message, { details: { path, problems } });
}
