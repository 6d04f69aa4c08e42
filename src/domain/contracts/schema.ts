import type { FfiParameter } from '../../wire/contracts/contract.js';
import { ServiceError } from '../../wire/errors/error.js';
import { textOf, valueOf } from '../../wire/json/json.js';
import { type AbiParameter, arrayPattern, isBasicType, splitType } from './abi.js';
import { isObject, type JsonObject, memberOf, entriesOfObject } from '../schema/json.js';

/** Limits on the members of a tuple and on the nesting of tuples; no contract has more. */
const maxMembers = 256;
const maxTupleDepth = 16;

/**
 * Converts a parameter of an ABI to one of an interface (docs/api.md §20): a JSON schema of the accepted values, with
 * the Solidity type in `details`. Tuples are objects whose members carry their position as `details.index`.
 */
export function ffiParameter(parameter: AbiParameter): FfiParameter {
  const { name, type } = parameter;
  return { name, schema: textOf(schemaOf(parameter, splitType(type).suffix, detailsOf(parameter))) };
}

/**
 * Converts a parameter of an interface to its ABI parameter. `field` is its path in the request.
 *
 * @throws ServiceError bad_parameter_schema
 */
export function abiParameter({ name, schema }: FfiParameter, field: string): AbiParameter {
  return readSchema({ name, schema: valueOf(schema), field, depth: 0 });
}

interface Details {
  readonly type: string;
  readonly internalType?: string | undefined;
  readonly indexed?: true | undefined;
  readonly index?: number | undefined;
}

function detailsOf({ type, internalType, indexed }: AbiParameter, index?: number): Details {
  return {
    type,
    ...(internalType !== undefined && { internalType }),
    ...(indexed === true && { indexed }),
    ...(index !== undefined && { index }),
  };
}

/** Elements of an array have no details of their own, except the members of tuples. */
function schemaOf(parameter: AbiParameter, suffix: string, details?: Details): JsonObject {
  const own = details === undefined ? {} : { details };
  if (suffix !== '') {
    const outer = suffix.lastIndexOf('[');
    return { type: 'array', ...own, items: schemaOf(parameter, suffix.slice(0, outer)) };
  }
  const { base } = splitType(parameter.type);
  if (base !== 'tuple') {
    const { description, ...form } = basicSchema(base);
    return { ...form, ...own, ...(description !== undefined && { description }) };
  }
  const members = (parameter.components ?? []).map((component, index) => {
    const schema = schemaOf(component, splitType(component.type).suffix, detailsOf(component, index));
    return [component.name === '' ? String(index) : component.name, schema] as const;
  });
  return { type: 'object', ...own, properties: Object.fromEntries(members) };
}

interface BasicSchema {
  readonly type?: string;
  readonly oneOf?: readonly { readonly type: string }[];
  readonly description?: string;
}

function basicSchema(base: string): BasicSchema {
  if (isWhole(base)) {
    const description = 'a whole number as text, decimal or 0x; or as a number, which many programs round above 2^53';
    return { oneOf: [{ type: 'string' }, { type: 'integer' }], description };
  }
  if (base === 'bool') return { type: 'boolean' };
  if (base === 'string') return { type: 'string' };
  return { type: 'string', description: base === 'address' ? 'an address, 0x and 40 digits' : 'bytes as 0x hex' };
}

interface Place {
  readonly name: string;
  readonly schema: unknown;
  readonly field: string;
  readonly depth: number;
}

function readSchema({ name, schema, field, depth }: Place): AbiParameter {
  const details = isObject(schema) ? memberOf(schema, 'details') : undefined;
  const type = isObject(details) ? memberOf(details, 'type') : undefined;
  if (!isObject(schema) || !isObject(details) || typeof type !== 'string') {
    throw refusal(field, 'its details.type must say which type Solidity has for it');
  }
  const { base, suffix } = splitType(type);
  if (!(base === 'tuple' || isBasicType(base)) || !arrayPattern.test(suffix)) {
    throw refusal(field, `"${type}" is no type of Solidity`);
  }
  const innermost = withoutArrays(schema, suffix, field);
  if (base !== 'tuple') checkForms(innermost, base, field);
  const internalType = memberOf(details, 'internalType');
  return {
    name,
    type: `${base}${suffix}`,
    ...(typeof internalType === 'string' && { internalType }),
    ...(memberOf(details, 'indexed') === true && { indexed: true }),
    ...(base === 'tuple' && { components: readMembers(innermost, field, depth + 1) }),
  };
}

/** Returns the schema of the innermost elements; each `[…]` of the type is one schema of type array. */
function withoutArrays(schema: JsonObject, suffix: string, field: string): JsonObject {
  let current = schema;
  for (let rest = suffix; rest !== ''; rest = rest.slice(0, rest.lastIndexOf('['))) {
    const items = memberOf(current, 'items');
    if (memberOf(current, 'type') !== 'array' || !isObject(items)) {
      throw refusal(field, 'Solidity has an array, so its type must be array, with items');
    }
    current = items;
  }
  return current;
}

/**
 * Refuses schemas that admit values which the codec cannot read. Every type can be written as text; where the schema
 * names no type, it follows from Solidity's.
 */
function checkForms(schema: JsonObject, base: string, field: string): void {
  const possible = ['string', ...(base === 'bool' ? ['boolean'] : isWhole(base) ? ['integer'] : [])];
  const wrong = formsOf(schema).find((form) => !possible.some((each) => each === form));
  if (wrong === undefined) return;
  const said = typeof wrong === 'string' ? wrong : textOf(wrong);
  throw refusal(field, `its type is ${said}, and for ${base} of Solidity it can be ${possible.join(' or ')}`);
}

/** The types that a schema allows, in `type` or `oneOf`; empty if it names none. */
function formsOf(schema: JsonObject): readonly unknown[] {
  const [type, oneOf] = [memberOf(schema, 'type'), memberOf(schema, 'oneOf')];
  const own: readonly unknown[] = type === undefined ? [] : Array.isArray(type) ? type : [type];
  return [...own, ...(Array.isArray(oneOf) ? oneOf.filter(isObject).flatMap(formsOf) : [])];
}

function isWhole(base: string): boolean {
  return base.startsWith('uint') || base.startsWith('int');
}

/** Reads the members of a tuple in Solidity's order. */
function readMembers(schema: JsonObject, field: string, depth: number): readonly AbiParameter[] {
  if (memberOf(schema, 'type') !== 'object') throw refusal(field, 'Solidity has a tuple, so its type must be object');
  const members = entriesOfObject(memberOf(schema, 'properties'));
  if (depth > maxTupleDepth || members.length > maxMembers) throw refusal(field, 'it has too many tuples or members');
  const placed = members.map(([name, member]) => {
    const parameter = readSchema({ name, schema: member, field: `${field}.${name}`, depth });
    const details = isObject(member) ? memberOf(member, 'details') : undefined;
    return { parameter, index: isObject(details) ? memberOf(details, 'index') : undefined };
  });
  const sorted = placed.map((_, place) => placed.find(({ index }) => index === place)?.parameter);
  return sorted.map((parameter, place) => {
    if (parameter !== undefined) return parameter;
    throw refusal(field, `details.index must number its members from 0, and none is number ${place}`);
  });
}

function refusal(field: string, problem: string): ServiceError {
  return new ServiceError('bad_parameter_schema', { field, problem });
}
