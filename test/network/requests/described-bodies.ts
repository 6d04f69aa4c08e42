import { isObject, type JsonObject } from '../../../src/domain/schema/json.js';

/** The body of a request, and the parameters of its path. */
export interface SentBody {
  readonly body: object;
  readonly parameters?: Readonly<Record<string, string>>;
}

/** An operation of an OpenAPI document, and how to try it. */
export interface TriedOperation {
  readonly document: JsonObject;
  /** The schema of its body. */
  readonly schema: unknown;
  /** Returns bodies that a node accepts, new ones with each call, since names are used up. */
  readonly bodies: () => readonly SentBody[];
  readonly send: (sent: SentBody) => Promise<Outcome>;
}

interface Outcome {
  readonly isAccepted: boolean;
  readonly text: string;
}

/**
 * Returns where a document is wrong about the members of a body. A required member must be in every accepted body, and
 * each body must be refused without it; any other member must be absent from an accepted body.
 */
export async function faultsOf(tried: TriedOperation): Promise<readonly string[]> {
  const { document, schema } = tried;
  const refused = (await outcomesOf(tried, (body) => [body])).filter(({ isAccepted }) => !isAccepted);
  const faults = refused.map(({ text }) => `a body is refused: ${text}`);
  for (const member of membersOf(document, schema)) faults.push(...(await faultsOfMember(tried, member)));
  return faults;
}

async function faultsOfMember(tried: TriedOperation, { place, name, isRequired }: Member): Promise<readonly string[]> {
  const { document, schema, bodies } = tried;
  const without = (body: object) =>
    [...foundIn(document, body, schema)]
      .filter((found) => found.place === place)
      .map(({ path, value }) => (name in value ? lacking(body, [...path, name]) : undefined));
  const all = bodies().flatMap(({ body }) => without(body));
  if (all.length === 0) return [`no body has ${place}`];
  if (all.includes(undefined)) return isRequired ? [`${place}.${name} is not required`] : [];
  const outcomes = await outcomesOf(tried, without);
  const accepted = outcomes.filter(({ isAccepted }) => isAccepted);
  if (isRequired) return accepted.map(({ text }) => `${place}.${name} is not required: ${text}`);
  return accepted.length > 0 ? [] : [`${place}.${name} is required: ${outcomes[0]?.text}`];
}

/** Sends each body and returns the results. */
async function outcomesOf(
  { bodies, send }: TriedOperation,
  change: (body: object) => readonly (object | undefined)[],
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const [index, { body }] of bodies().entries()) {
    for (const which of change(body).keys()) {
      const fresh = bodies()[index];
      const changed = change(fresh?.body ?? {})[which];
      if (changed !== undefined) outcomes.push(await send({ ...fresh, body: changed }));
    }
  }
  return outcomes;
}

/** A member of an object that a body may have. */
interface Member {
  /** The names on the path to the object, with entries of lists as `[]`: `data.[].datatype`. */
  readonly place: string;
  readonly name: string;
  readonly isRequired: boolean;
}

function* membersOf(document: JsonObject, schema: unknown, place: readonly string[] = []): Generator<Member> {
  for (const { items, properties, required } of formsOf(document, schema)) {
    if (items !== undefined) yield* membersOf(document, items, [...place, '[]']);
    for (const [name, member] of Object.entries(Object(properties))) {
      yield { place: place.join('.'), name, isRequired: Array.isArray(required) && required.includes(name) };
      yield* membersOf(document, member, [...place, name]);
    }
  }
}

/** An object of a body, and its path. */
interface Found {
  readonly place: string;
  readonly path: readonly string[];
  readonly value: JsonObject;
}

function* foundIn(
  document: JsonObject,
  value: unknown,
  schema: unknown,
  way: { readonly place: readonly string[]; readonly path: readonly string[] } = { place: [], path: [] },
): Generator<Found> {
  for (const { items, properties } of formsOf(document, schema)) {
    const isList = Array.isArray(value) && items !== undefined;
    if (!isList && !(isObject(value) && properties !== undefined)) continue;
    if (isObject(value)) yield { place: way.place.join('.'), path: way.path, value };
    for (const [key, member] of Object.entries(value)) {
      const its: unknown = isList ? items : Object(properties)[key];
      const next = { place: [...way.place, isList ? '[]' : key], path: [...way.path, key] };
      yield* foundIn(document, member, its, next);
    }
  }
}

/** Returns the schema itself, or the one that it refers to; for a union, its alternatives. */
function formsOf(document: JsonObject, schema: unknown): readonly JsonObject[] {
  if (!isObject(schema)) return [];
  const { $ref: reference, anyOf } = schema;
  if (Array.isArray(anyOf)) return anyOf.flatMap((form) => formsOf(document, form));
  if (typeof reference !== 'string') return [schema];
  const name = reference.replace('#/components/schemas/', '');
  return formsOf(document, Object(Object(document['components']).schemas)[name]);
}

/** Returns a copy of a body without the member at a path. */
function lacking(body: object, path: readonly string[]): object {
  const copy = structuredClone(body);
  const parent = path.slice(0, -1).reduce<unknown>((value, key) => Reflect.get(Object(value), key), copy);
  Reflect.deleteProperty(Object(parent), path.at(-1) ?? '');
  return copy;
}
