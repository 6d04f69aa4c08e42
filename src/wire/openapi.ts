import { KindGuard, type TObject, type TSchema, Type } from '@sinclair/typebox';
import { Data } from './data/data.js';
import { ErrorBody } from './errors/error-body.js';
import { DeliveredEvent } from './events/event.js';
import { BroadcastRequest, Message } from './messages/message.js';
import { defaultLimit, maxLimit, maxSkip } from './lists/query.js';
import { rawMark } from './json/raw-mark.js';
import { requiredInReply, requiredInRequest } from './json/required-mark.js';
import { absolutePaths, filtersOf, type Route, statusOf } from './route.js';
import { Flag } from './scalar.js';
import { Status } from './network/status.js';
import { ignoredHeader, strictHeader } from './strict.js';

/** A part of an OpenAPI document: plain JSON. */
export interface JsonObject {
  [member: string]: unknown;
}

export interface OpenApiOptions {
  /** The version of the program. */
  readonly version: string;
  /** Title of the document; by default that of the whole API of a node. */
  readonly title?: string;
  readonly about?: string;
  /** The node's address, such as `http://127.0.0.1:16010`; if absent, paths are relative to the document. */
  readonly serverUrl?: string;
  /** The profile of the node's network. */
  readonly profile?: 'firefly' | undefined;
}

/** Schemas of replies that are listed once and referred to by name. */
const replies: ReadonlyMap<TSchema, string> = new Map<TSchema, string>([
  [Message, 'Message'],
  [Data, 'Data'],
  [DeliveredEvent, 'DeliveredEvent'],
  [Status, 'Status'],
  [ErrorBody, 'Error'],
]);
/** Schemas of requests that are listed once and referred to by name. */
const requests: ReadonlyMap<TSchema, string> = new Map<TSchema, string>([[BroadcastRequest, 'BroadcastRequest']]);
const components: ReadonlyMap<TSchema, string> = new Map([...replies, ...requests]);

/** The controls of every list (docs/api.md §8.2). */
const pageQuery: Readonly<Record<string, TSchema>> = {
  limit: Type.Integer({ minimum: 0, maximum: maxLimit, default: defaultLimit, description: 'records in a page' }),
  skip: Type.Integer({ minimum: 0, maximum: maxSkip, default: 0, description: 'records before the page' }),
  count: Flag,
  sort: Type.String({ description: 'fields, by commas; -field for descending' }),
  ascending: Flag,
  descending: Flag,
};
const filter = Type.String({ description: 'filter: [! : ? [ ]] [= @ ^ $ < <= > >=] value; repeated: any of them' });

/**
 * Builds the OpenAPI 3.1 document of a route table: every route under its full path, under the path of the default
 * namespace, and under its aliases. Only the full path has an `operationId`, the name of the row; the others refer to
 * that row. Members that can be any JSON are shown as such: their text is kept byte for byte.
 */
export function openApiDocument(table: Readonly<Record<string, Route>>, options: OpenApiOptions): JsonObject {
  const { profile } = options;
  const paths: Record<string, JsonObject> = {};
  for (const [name, route] of Object.entries(table)) {
    for (const [path, operation] of operationsOf(name, route, profile)) {
      paths[path] = { ...paths[path], [route.method]: operation };
    }
  }
  const schemas = [
    ...[...replies].map(([schema, name]) => [name, describeWhole(schema, requiredInReply)] as const),
    ...[...requests].map(([schema, name]) => [name, describeWhole(schema, inRequest(profile))] as const),
  ];
  return {
    openapi: '3.1.0',
    info: {
      title: options.title ?? 'Parley node',
      version: options.version,
      description: options.about ?? about,
    },
    ...(options.serverUrl === undefined ? {} : { servers: [{ url: options.serverUrl }] }),
    paths,
    components: { schemas: Object.fromEntries(schemas) },
  };
}

const about = [
  'One party of a network: messages to all parties, in one order, pinned to a chain.',
  'Events come over a WebSocket at `/ws` (`namespace`, `ephemeral`, `autoack`, `filter.events`, …), as',
  '`DeliveredEvent`.',
  "A `value` is kept as it was written: key order, number spelling and escapes are the sender's.",
  `Parameters and members that mean nothing are ignored and named in the header \`${ignoredHeader}\`;`,
  `with \`${strictHeader}: true\` an unknown parameter is refused.`,
].join(' ');

type Profile = OpenApiOptions['profile'];

function operationsOf(name: string, route: Route, profile: Profile): [path: string, operation: JsonObject][] {
  const [primary, ...aliases] = [route.path, ...(route.also ?? [])].flatMap(absolutePaths);
  if (primary === undefined) return [];
  const alias = (path: string): JsonObject => ({ 'x-alias-of': name, ...operation(path, route, profile) });
  return [
    [primary, { operationId: name, ...operation(primary, route, profile) }],
    ...aliases.map((path): [string, JsonObject] => [path, alias(path)]),
  ];
}

function operation(path: string, route: Route, profile: Profile): JsonObject {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  // A filter by a value that the path gives selects nothing more, and generators of clients name both alike.
  const names = Object.keys(filtersOf(route)).filter((name) => !inPath.includes(name));
  const filters = names.map((name) => [name, filter] as const);
  const query = {
    ...Object.fromEntries(filters),
    ...route.query,
    ...(route.isList === true ? pageQuery : {}),
  };
  return {
    summary: route.summary,
    ...rightsOf(route),
    parameters: [
      ...inPath.map(pathParameter),
      ...Object.entries(query).map(([parameter, schema]) => queryParameter(parameter, schema)),
    ],
    ...(route.body === undefined
      ? {}
      : { requestBody: { required: true, content: bodyContent(route, route.body, profile) } }),
    responses: {
      ...(route.query?.['confirm'] === undefined
        ? {}
        : { 200: { description: 'Success, with confirm', content: json(replySchema(route)) } }),
      [statusOf(route, profile)]: { description: 'Success', ...replyContent(route) },
      default: { description: 'Refused or failed', content: json(describe(ErrorBody)) },
    },
  };
}

/** Documents the grant that a credential for some namespaces needs; one for all namespaces needs none. */
function rightsOf({ grant, granted }: Route): JsonObject {
  if (granted !== undefined) return { description: granted };
  return grant === undefined ? {} : { description: `A credential for namespaces needs the grant "${grant}".` };
}

function bodyContent({ isUpload }: Route, body: TSchema, profile: Profile): JsonObject {
  return {
    ...json(describe(body, inRequest(profile))),
    ...(isUpload === true && { 'multipart/form-data': { schema: uploadForm } }),
  };
}

const text = { type: 'string' };
/** The form of an upload (docs/api.md §11.2). */
const uploadForm: JsonObject = {
  type: 'object',
  required: ['file'],
  properties: {
    file: { type: 'string', format: 'binary' },
    metadata: { ...text, description: 'JSON text of the value; other text becomes a string' },
    autometa: {
      ...text,
      description: 'true: filename, size and, unless the datatype forbids it, mimetype are appended to the value',
    },
    validator: { ...text, description: 'json, the default, or none' },
    datatype: { ...text, description: 'JSON text of the name and version of a datatype; or these in two fields:' },
    'datatype.name': text,
    'datatype.version': text,
  },
};

function replyContent(route: Route): JsonObject {
  if (route.status === 204) return {};
  if (route.isBinary !== true) return { content: json(replySchema(route)) };
  return { content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } };
}

function pathParameter(name: string): JsonObject {
  const description = name === 'ns' ? 'namespace' : 'id';
  return { name, in: 'path', required: true, description, schema: { type: 'string' } };
}

function queryParameter(name: string, schema: TSchema): JsonObject {
  return { name, in: 'query', required: false, schema: describe(schema) };
}

function replySchema(route: Route): JsonObject {
  const record = describe(route.reply);
  if (route.isList !== true) return record;
  const items = { type: 'array', items: record };
  const number = { type: 'integer' };
  const counted = { type: 'object', required: ['count', 'total', 'items'], properties: {} };
  return { oneOf: [items, { ...counted, properties: { count: number, total: number, items } }] };
}

function json(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } };
}

/** Returns the members that an object of one direction has. */
type RequiredOf = (schema: TObject) => readonly string[];

function inRequest(profile: Profile): RequiredOf {
  return (schema) => requiredInRequest(schema, profile);
}

/** Converts a schema for the document: named schemas become references, raw members any JSON. */
function describe(schema: TSchema, requiredOf: RequiredOf = requiredInReply): JsonObject {
  const name = components.get(schema);
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  if (schema[rawMark] !== undefined) {
    return { description: typeof schema.description === 'string' ? schema.description : 'any JSON; its text is kept' };
  }
  return describeWhole(schema, requiredOf);
}

function describeWhole(schema: TSchema, requiredOf: RequiredOf): JsonObject {
  const described: JsonObject = {};
  for (const [key, member] of Object.entries(schema)) described[key] = describeMember(key, member, requiredOf);
  // The schemas of a contract's parameters are those of its author.
  if (!KindGuard.IsObject(schema)) return described;
  const { required: _, ...others } = described;
  const required = requiredOf(schema);
  return required.length === 0 ? others : { ...others, required };
}

function describeMember(key: string, member: unknown, requiredOf: RequiredOf): unknown {
  if (key === 'properties') {
    const properties = Object.entries(member as Record<string, TSchema>); // as JSON Schema has it
    return Object.fromEntries(properties.map(([name, schema]) => [name, describe(schema, requiredOf)]));
  }
  if (key === 'items') return describe(member as TSchema, requiredOf); // our arrays have one schema for all items
  // as JSON Schema has it
  if (key === 'anyOf') return (member as TSchema[]).map((choice) => describe(choice, requiredOf));
  return member;
}
