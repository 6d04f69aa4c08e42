import { checkEntrySizes } from '../../../domain/contracts/size.js';
import { readLocation } from '../../../domain/contracts/location.js';
import { type EventFilter, eventFilter, maxListenerFilters } from '../../../domain/contracts/listener.js';
import type { Reader } from '../../../ports/database.js';
import type { InterfaceRow } from '../../../ports/tables/contract-tables.js';
import type {
  FfiEvent,
  InterfaceReference,
  ListenerFilter,
  ListenerRequest,
} from '../../../wire/contracts/contract.js';
import { ServiceError } from '../../../wire/errors/error.js';
import { nearestHint } from '../../../wire/lists/query.js';
import { uuidPattern } from '../../../wire/scalar.js';
import { readParts } from '../../records/contracts.js';

type ListenedFor = Pick<ListenerRequest, 'event' | 'eventPath' | 'interface' | 'location' | 'filters'>;

/**
 * Reads the events that a request names: events defined in the request, events of an interface, or several of either
 * (docs/api.md §20). A filter without a location gets that of the request.
 *
 * @throws ServiceError event_required, event_unknown, event_anonymous, interface_not_found, bad_location, too_many,
 * duplicate, definition_nameless, bad_parameter_schema, not_uuid
 */
export async function readListenedFor(
  reader: Reader,
  namespace: string,
  { filters, ...single }: ListenedFor,
): Promise<readonly EventFilter[]> {
  if (filters === undefined || filters.length === 0) return [await readOne(reader, namespace, single, '')];
  if (single.event !== undefined || single.eventPath !== undefined) {
    throw new ServiceError('event_required', { problem: ', and not two of them' });
  }
  if (filters.length > maxListenerFilters) {
    throw new ServiceError('too_many', { field: 'filters', max: maxListenerFilters, actual: filters.length });
  }
  const all: EventFilter[] = [];
  for (const [index, filter] of filters.entries()) {
    const { location, interface: reference } = single;
    const whole = {
      ...filter,
      location: filter.location ?? location,
      interface: filter.interface ?? reference,
    };
    const found = await readOne(reader, namespace, whole, `filters[${index}].`);
    const isSame = ({ signature, address }: EventFilter) => signature === found.signature && address === found.address;
    if (all.some(isSame)) throw new ServiceError('duplicate', { field: 'filters', actual: found.signature });
    all.push(found);
  }
  return all;
}

/** A filter with members that may be undefined. */
type OneFilter = { readonly [M in keyof ListenerFilter]: ListenerFilter[M] | undefined };

async function readOne(reader: Reader, namespace: string, filter: OneFilter, prefix: string): Promise<EventFilter> {
  const address = filter.location === undefined ? null : readLocation(filter.location);
  if (filter.event !== undefined)
    return checked(eventFilter(filter.event, { field: `${prefix}event`, address }), prefix);
  const { interface: reference, eventPath } = filter;
  if (reference === undefined || eventPath === undefined) {
    const problem = prefix === '' ? '' : `; ${prefix.slice(0, -1)} has none`;
    throw new ServiceError('event_required', { problem });
  }
  const row = await findReferred(reader, namespace, reference);
  const its = eventFilter(eventOf(row, eventPath), { field: `${prefix}eventPath`, address, interfaceId: row.id });
  return checked(its, prefix);
}

/** @throws ServiceError bad_parameter_schema */
function checked(its: EventFilter, prefix: string): EventFilter {
  checkEntrySizes(its.entry, `${prefix}event`);
  return its;
}

/** Returns an interface by id, or by name and version. @throws ServiceError interface_not_found, not_uuid */
async function findReferred(
  reader: Reader,
  namespace: string,
  { id, name = '', version = '' }: InterfaceReference,
): Promise<InterfaceRow> {
  const lower = id?.toLowerCase();
  if (lower !== undefined && !uuidPattern.test(lower)) {
    throw new ServiceError('not_uuid', { field: 'interface.id', actual: lower });
  }
  const row = await reader.first('interfaces', {
    namespace,
    ...(lower === undefined ? { name, version } : { id: lower }),
  });
  if (row !== undefined) return row;
  throw new ServiceError('interface_not_found', { what: lower ?? `${name}@${version}`, namespace });
}

/** Returns an event of an interface by its pathname. @throws ServiceError event_unknown */
function eventOf(row: InterfaceRow, path: string): FfiEvent {
  const { name } = row;
  const { events } = readParts(row);
  const event = events.find(({ pathname, name: own }) => (pathname ?? own) === path);
  if (event !== undefined) return event;
  const known = events.map(({ pathname, name: own }) => pathname ?? own);
  throw new ServiceError('event_unknown', { name, event: path, hint: nearestHint(path, known) });
}
