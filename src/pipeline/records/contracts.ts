import { derivedId } from '../../domain/network/identity.js';
import type { InterfaceParts } from '../../domain/contracts/ffi.js';
import type { InterfaceRow } from '../../ports/tables/contract-tables.js';
import type { NewRow } from '../../ports/tables/tables.js';
import { assertConforms } from '../../wire/check.js';
import { type ContractApi, type ContractInterface, FfiEvents, FfiMethods } from '../../wire/contracts/contract.js';
import { write } from '../../wire/json/json.js';
import { compact, read } from '../../wire/json/json-reader.js';
import type { JsonText } from '../../wire/scalar.js';

/** The API's record of an interface; its methods, events and errors are optional (docs/api.md §20). */
export function interfaceRecord(
  row: NewRow<'interfaces'>,
  { hasChildren }: { readonly hasChildren: boolean },
): ContractInterface {
  const { id, message, namespace, name, networkName, description, version, published } = row;
  const { methods, events, errors } = hasChildren ? readParts(row) : {};
  return {
    id,
    ...(message !== null && { message }),
    namespace,
    name,
    ...(networkName !== null && { networkName }),
    description,
    version,
    ...(methods !== undefined && { methods: withReferences(row, 'method', methods) }),
    ...(events !== undefined && { events: withReferences(row, 'event', events) }),
    ...(errors !== undefined && { errors: withReferences(row, 'error', errors) }),
    published,
  };
}

/** Adds to members of an interface the ids and interface references that FireFly's clients expect. */
function withReferences<Member extends { readonly name: string; readonly pathname?: string }>(
  { id: itsInterface, namespace }: NewRow<'interfaces'>,
  kind: 'method' | 'event' | 'error',
  members: readonly Member[],
) {
  return members.map((member) => {
    const { pathname = member.name } = member;
    return { ...member, id: derivedId(`${itsInterface} ${kind} ${pathname}`), interface: itsInterface, namespace };
  });
}

/**
 * The API's record of a contract API (docs/api.md §20). `url` is the node's base URL, such as `http://127.0.0.1:5000`;
 * without it the URLs are paths.
 */
export function apiRecord(row: NewRow<'apis'>, url = ''): ContractApi {
  const { id, namespace, interface: itsInterface, location, name, networkName, message, published } = row;
  const api = `${url}/api/v1/namespaces/${namespace}/apis/${name}`;
  return {
    id,
    namespace,
    interface: { id: itsInterface },
    ...(location !== null && { location }),
    name,
    ...(networkName !== null && { networkName }),
    ...(message !== null && { message }),
    urls: { api, openapi: `${api}/api/openapi.json`, ui: `${api}/api` },
    published,
  };
}

export type PartColumns = Pick<InterfaceRow, 'methods' | 'events' | 'errors'>;

export function writeParts({ methods, events, errors }: InterfaceParts): PartColumns {
  return {
    methods: compact(write(FfiMethods, methods)),
    events: compact(write(FfiEvents, events)),
    errors: compact(write(FfiEvents, errors)),
  };
}

export function readParts({ methods, events, errors }: PartColumns): InterfaceParts {
  return { methods: readMethods(methods), events: readEvents(events), errors: readEvents(errors) };
}

function readMethods(text: JsonText): InterfaceParts['methods'] {
  const { value } = read(text, FfiMethods);
  assertConforms(FfiMethods, value, 'the methods');
  return value;
}

function readEvents(text: JsonText): InterfaceParts['events'] {
  const { value } = read(text, FfiEvents);
  assertConforms(FfiEvents, value, 'the events');
  return value;
}
