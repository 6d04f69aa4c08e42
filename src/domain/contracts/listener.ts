import { FfiEvent, type ListenerFilter, ListenerFilters } from '../../wire/contracts/contract.js';
import { ServiceError } from '../../wire/errors/error.js';
import { write } from '../../wire/json/json.js';
import { compact, read } from '../../wire/json/json-reader.js';
import type { JsonText } from '../../wire/scalar.js';
import { check } from '../../wire/check.js';
import { type AbiEntry, signatureOf } from './abi.js';
import { eventEntry } from './ffi.js';
import { locationOf, readLocation } from './location.js';
import { assert } from '../invariant.js';

/** One event that a listener listens for. */
export interface EventFilter {
  readonly entry: AbiEntry;
  readonly signature: string;
  /** The contract in lower case; null = any contract. */
  readonly address: string | null;
  /** The filter as it is stored and served. */
  readonly shown: ListenerFilter;
}

/** Maximum number of filters of one listener. */
export const maxListenerFilters = 32;
/** Maximum number of listeners of one node; each page of the chain is matched against all of them. */
export const maxListeners = 5_000;

/** The key of a listener's source for one contract, or for any contract if `address` is `null`. */
export function sourceSubject(listener: string, address: string | null): string {
  return address === null ? listener : `${listener}/${address}`;
}

/**
 * Builds one filter of a listener: an event, at one contract or at any.
 *
 * @param field path of the event in the request @throws ServiceError definition_nameless, bad_parameter_schema,
 * event_anonymous
 */
export function eventFilter(
  event: FfiEvent,
  {
    field,
    address,
    interfaceId,
  }: { readonly field: string; readonly address: string | null; readonly interfaceId?: string },
): EventFilter {
  const entry = eventEntry(event, field);
  if (entry.anonymous === true) throw new ServiceError('event_anonymous', { field });
  const signature = signatureOf(entry);
  const { name, description, params, details } = event;
  const texts = { ...(description !== undefined && { description }), ...(details !== undefined && { details }) };
  const shown = {
    event: { name, ...texts, params },
    ...(address !== null && { location: locationOf(address) }),
    ...(interfaceId !== undefined && { interface: { id: interfaceId } }),
    signature,
  };
  return { entry, signature, address, shown };
}

/** Writes the filters of a listener as they are stored. */
export function writeFilters(filters: readonly EventFilter[]): JsonText {
  return compact(
    write(
      ListenerFilters,
      filters.map(({ shown }) => shown),
    ),
  );
}

/** Reads the stored filters of a listener. */
export function readFilters(text: JsonText): readonly EventFilter[] {
  return shownFilters(text).map(({ event, location, interface: { id } = {} }) => {
    assert(event !== undefined, 'a stored filter has its event');
    const address = location === undefined ? null : readLocation(location);
    return eventFilter(event, { field: 'event', address, ...(id !== undefined && { interfaceId: id }) });
  });
}

/** Reads stored filters in the form in which they are served. */
export function shownFilters(text: JsonText): ListenerFilter[] {
  const { value } = read(text, ListenerFilters);
  assert(check(ListenerFilters, value), 'stored filters are as they were written');
  return value;
}

/** Writes the event of a filter as text. */
export function writeEvent(event: FfiEvent): JsonText {
  return compact(write(FfiEvent, event));
}

/**
 * The sorted signatures of a listener's filters. Two listeners for the same events have the same text, whatever the
 * order of their filters.
 */
export function signatureOfAll(filters: readonly EventFilter[]): string {
  return filters
    .map(({ signature }) => signature)
    .sort()
    .join(';');
}

/** The sorted filters of a listener, with addresses, as one text. */
export function subjectOfAll(filters: readonly EventFilter[]): string {
  return filters
    .map(({ signature, address }) => `${address ?? '*'}:${signature}`)
    .sort()
    .join(';');
}
