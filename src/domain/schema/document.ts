import { networkLimits } from '../network/limits.js';
import type { BudgetVersion } from './budget.js';
import { type CheckSchema, type Draft, draftOf } from './draft.js';
import { SchemaFault } from './fault.js';
import { isArray, isObject, type JsonObject, memberOf, entriesOfObject } from './json.js';

/** A schema resource: the whole schema, or a part with its own `$id`. */
export interface Resource {
  readonly uri: string;
  readonly schema: JsonObject;
  /** Targets of dynamic references, by name; a recursive anchor has the empty name. */
  readonly dynamicAnchors: Map<string, unknown>;
  /** Targets of its anchors, by name. */
  readonly anchors: Map<string, Target>;
}

/** Every subschema of a schema, and the resolution of its references. Nothing is ever fetched. */
export interface Document {
  readonly draft: Draft;
  readonly root: Resource;
  /** Each subschema that is an object, with its resource. */
  readonly subschemas: ReadonlyMap<JsonObject, Resource>;
  /** Resolves a reference in a resource. @throws SchemaFault */
  resolve(reference: string, from: Resource): Target;
}

export interface Target {
  readonly schema: unknown;
  readonly resource: Resource;
  /** The dynamic anchor by which it was found. */
  readonly dynamicAnchor?: string;
}

type Holding = 'schema' | 'list' | 'schema or list' | 'map';

/** Keywords that contain subschemas. Keywords of other drafts do no harm: a reference may point into them. */
const holdings: Readonly<Record<string, Holding>> = {
  $defs: 'map',
  definitions: 'map',
  properties: 'map',
  patternProperties: 'map',
  dependentSchemas: 'map',
  dependencies: 'map',
  allOf: 'list',
  anyOf: 'list',
  oneOf: 'list',
  prefixItems: 'list',
  items: 'schema or list',
  additionalItems: 'schema',
  unevaluatedItems: 'schema',
  contains: 'schema',
  additionalProperties: 'schema',
  unevaluatedProperties: 'schema',
  propertyNames: 'schema',
  not: 'schema',
  if: 'schema',
  then: 'schema',
  else: 'schema',
};

/** The base URI of a schema without `$id`. */
const fallbackUri = 'https://schema.invalid/schema';

/** Longest identifier; each one is resolved against those around it, in time proportional to their length. */
const maxIdentifierCharacters = 2_048;

/** The state of reading a schema. */
interface Index {
  readonly draft: Draft;
  readonly maxUriCharacters: number;
  readonly subschemas: Map<JsonObject, Resource>;
  readonly resources: Map<string, Resource>;
  /** In reading order; the list grows while it is worked through. */
  readonly references: { readonly reference: string; readonly from: Resource }[];
  count: number;
}

/**
 * Finds all subschemas, identifiers and anchors of a schema and verifies that each reference resolves to one of them
 * (docs/protocol.md §10.1). The whole schema, and every part that becomes a schema by being referenced, is validated
 * against the meta-schema.
 *
 * @throws SchemaFault
 */
export function readDocument(whole: JsonObject, version: BudgetVersion, check: CheckSchema): Document {
  const draft = draftOf(whole);
  check(draft, whole);
  const tables = { subschemas: new Map(), resources: new Map() };
  const maxUriCharacters = version === 1 ? Infinity : maxIdentifierCharacters;
  const index: Index = { draft, maxUriCharacters, ...tables, references: [], count: 0 };
  const root = openResource(index, whole, fallbackUri);
  walk(index, whole, root);
  // A target outside all known keywords becomes a subschema by being referenced; it may contain further references.
  for (const { reference, from } of index.references) {
    const { schema, resource } = resolve(index, reference, from);
    if (!isObject(schema) || index.subschemas.has(schema)) continue;
    check(draft, schema);
    walk(index, schema, resource);
  }
  const { subschemas } = index;
  return { draft, root, subschemas, resolve: (reference, from) => resolve(index, reference, from) };
}

function openResource({ draft, resources, maxUriCharacters }: Index, schema: JsonObject, base: string): Resource {
  const uri = resolveUri(idOf(schema, draft) ?? '', base);
  if (uri.length > maxUriCharacters) {
    throw new SchemaFault(`an "$id" in it means a URI of ${uri.length} characters, of at most ${maxUriCharacters}`);
  }
  const resource = { uri, schema, dynamicAnchors: new Map(), anchors: new Map() };
  if (resources.has(uri)) throw new SchemaFault(`the "$id" ${uri} is given twice`);
  resources.set(uri, resource);
  return resource;
}

function walk(index: Index, schema: unknown, outer: Resource): void {
  const { draft, subschemas } = index;
  index.count += 1;
  if (index.count > networkLimits.maxSubschemas) {
    throw new SchemaFault(`it has more than ${networkLimits.maxSubschemas} subschemas`);
  }
  if (typeof schema === 'boolean') return;
  if (!isObject(schema)) throw new SchemaFault('a subschema is neither an object nor true nor false');
  const isEmbedded = schema !== outer.schema && idOf(schema, draft) !== undefined;
  const resource = isEmbedded ? openResource(index, schema, outer.uri) : outer;
  if (isEmbedded && memberOf(schema, '$schema') !== undefined && draftOf(schema) !== draft) {
    throw new SchemaFault('a part of it has another "$schema" than the whole');
  }
  subschemas.set(schema, resource);
  addAnchors(index, schema, resource);
  for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
    const reference = memberOf(schema, keyword);
    if (typeof reference === 'string') index.references.push({ reference, from: resource });
  }
  for (const [keyword, value] of heldBy(schema, draft)) {
    for (const child of childrenOf(holdings[keyword] ?? 'schema', value)) walk(index, child, resource);
  }
}

/** Up to draft-07 the siblings of a reference are ignored, but may be referenced. */
function heldBy(schema: JsonObject, draft: Draft): [string, unknown][] {
  const known = entriesOfObject(schema).filter(([keyword]) => Object.hasOwn(holdings, keyword));
  if (!isBareReference(schema, draft)) return known;
  return known.filter(([keyword]) => keyword === 'definitions' || keyword === '$defs');
}

function addAnchors({ draft }: Index, schema: JsonObject, resource: Resource): void {
  const id = memberOf(schema, '$id');
  const legacy = draft === 'draft-07' && typeof id === 'string' && id.startsWith('#') ? id.slice(1) : undefined;
  for (const name of [legacy, memberOf(schema, '$anchor'), memberOf(schema, '$dynamicAnchor')]) {
    if (typeof name !== 'string' || name === '') continue;
    const isDynamic = memberOf(schema, '$dynamicAnchor') === name;
    if (resource.anchors.has(name)) throw new SchemaFault(`the anchor "${name}" is given twice`);
    resource.anchors.set(name, { schema, resource, ...(isDynamic && { dynamicAnchor: name }) });
    if (isDynamic) resource.dynamicAnchors.set(name, schema);
  }
  if (schema === resource.schema && memberOf(schema, '$recursiveAnchor') === true) {
    resource.dynamicAnchors.set('', schema);
  }
}

function resolve({ resources, subschemas }: Index, reference: string, from: Resource): Target {
  const { resource, fragment } = splitReference(resources, reference, from);
  if (resource === undefined) throw new SchemaFault(`"${reference}" is not in it; nothing is ever fetched`);
  const name = decodeFragment(fragment);
  const isPointer = name === '' || name.startsWith('/');
  const target = isPointer ? follow(resource, name.split('/').slice(1), subschemas) : resource.anchors.get(name);
  if (target === undefined || (!isObject(target.schema) && typeof target.schema !== 'boolean')) {
    throw new SchemaFault(`the reference "${reference}" means no part of it`);
  }
  return target;
}

function splitReference(
  resources: ReadonlyMap<string, Resource>,
  reference: string,
  from: Resource,
): { readonly resource: Resource | undefined; readonly fragment: string } {
  const [uri = '', fragment = ''] = reference.split('#', 2);
  return { resource: uri === '' ? from : resources.get(resolveUri(uri, from.uri)), fragment };
}

/** The value that a pointer leads to, and its resource. */
function follow(
  start: Resource,
  tokens: readonly string[],
  subschemas: ReadonlyMap<JsonObject, Resource>,
): Target | undefined {
  let value: unknown = start.schema;
  let resource = start;
  for (const token of tokens) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (isArray(value)) value = /^(0|[1-9]\d*)$/.test(key) ? value[Number(key)] : undefined;
    else value = isObject(value) ? memberOf(value, key) : undefined;
    if (value === undefined) return undefined;
    if (isObject(value)) resource = subschemas.get(value) ?? resource;
  }
  return { schema: value, resource };
}

/** Whether a schema is a reference whose siblings are ignored (draft-07, 8.3). */
export function isBareReference(schema: JsonObject, draft: Draft): boolean {
  return draft === 'draft-07' && typeof memberOf(schema, '$ref') === 'string';
}

/** The identifier that opens a resource; up to draft-07 a bare fragment is an anchor instead. */
function idOf(schema: JsonObject, draft: Draft): string | undefined {
  const id = memberOf(schema, '$id');
  if (typeof id !== 'string' || id.startsWith('#') || isBareReference(schema, draft)) return undefined;
  return id.split('#', 1)[0];
}

function childrenOf(holding: Holding, value: unknown): readonly unknown[] {
  if (holding === 'schema') return [value];
  // Dependencies may be lists of names instead.
  if (holding === 'map') return entriesOfObject(value).flatMap(([, child]) => (isArray(child) ? [] : [child]));
  return isArray(value) ? value : [value];
}

/**
 * Resolves a reference without a fragment, to the same URI with every version of Node: their parsers know different
 * characters of international hosts, and not all of them encode `^`. A label in Punycode is compared as it is written.
 */
function resolveUri(reference: string, base: string): string {
  if (reference === '') return base;
  const written = reference.replaceAll('^', '%5E').replaceAll(/xn--/gi, 'xn-0');
  if (hasPlainHost(written, base) && URL.canParse(written, base)) return new URL(written, base).href;
  throw new SchemaFault(`"${reference}" is not a URI with a host in ASCII`);
}

/** Whether a host contains only ASCII, and no character in percent-encoding. */
function hasPlainHost(reference: string, base: string): boolean {
  const marked = reference.replaceAll(/[^\0-\x7f]|%/gu, hostMark);
  if (marked === reference) return true;
  return URL.canParse(marked, base) && !new URL(marked, base).hostname.includes(hostMark);
}

const hostMark = 'not-plain-here';

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch (error) {
    if (error instanceof URIError) throw new SchemaFault(`"#${fragment}" is not a fragment of a URI`);
    throw error;
  }
}
