import { compileFilter, type Filter, nestedFilter, readFilter } from '../../domain/events/filter.js';
import { readOptions } from '../../domain/events/subscription.js';
import type { FlowControl } from '../../pipeline/deliver/delivery.js';
import { ServiceError } from '../../wire/errors/error.js';
import { textOf } from '../../wire/json/json.js';
import { type JsonText, namePattern } from '../../wire/scalar.js';

/** A subscription to start on a socket, from the query of its handshake or a frame. */
export type Start = DurableStart | EphemeralStart;

export interface DurableStart {
  readonly kind: 'durable';
  readonly namespace: string;
  readonly name: string;
}

export interface EphemeralStart {
  readonly kind: 'ephemeral';
  readonly namespace: string;
  readonly filter: Filter;
  /** As it is served. */
  readonly filterText: JsonText;
  readonly flow: FlowControl;
  /** Sequence after which delivery begins; undefined = the newest. */
  readonly after: number | undefined;
}

/** A requested start, from a query or a frame. */
export interface StartRequest {
  /** A namespace of this node. */
  readonly namespace: string;
  readonly name?: string | undefined;
  readonly isEphemeral: boolean;
  /** A filter in the form of requests. */
  readonly filter?: unknown;
  /** Options in the form of requests. */
  readonly options?: unknown;
}

/** Before the first event of any node. */
const beforeAll = -1;

/**
 * Reads a requested start (docs/api.md §15.1, §15.2). A durable subscription has its own filter and options, so others
 * beside its name are refused rather than ignored.
 *
 * @throws ServiceError bad_subscription, bad_name, and the errors of `readFilter`, `compileFilter` and `readOptions`
 */
export function readStart({ namespace, name, isEphemeral, filter, options }: StartRequest): Start {
  if (isEphemeral) {
    if (name !== undefined) throw unusable('it has a name and is ephemeral; give one of the two');
    const expressions = readFilter(filter);
    const { firstEvent, readAhead, batch } = readOptions(options, { transport: 'websockets' });
    return {
      kind: 'ephemeral',
      namespace,
      filter: compileFilter(expressions),
      filterText: textOf(nestedFilter(expressions)),
      flow: { readAhead, batch },
      after: firstEvent === 'newest' ? undefined : firstEvent === 'oldest' ? beforeAll : firstEvent,
    };
  }
  if (name === undefined) throw unusable('it needs a name, or "ephemeral": true');
  if (!namePattern.test(name)) throw new ServiceError('bad_name', { field: 'name', actual: name });
  for (const [what, given] of [['filter', filter] as const, ['options', options] as const]) {
    if (!isEmpty(given)) throw unusable(`it has a name and ${what} of its own; change the subscription instead`);
  }
  return { kind: 'durable', namespace, name };
}

/** Whether nothing is set in an object, as clients in Go send for absent ones. */
function isEmpty(given: unknown): boolean {
  if (given === undefined || given === null || given === '') return true;
  return typeof given === 'object' && !Array.isArray(given) && Object.values(given).every(isEmpty);
}

function unusable(problem: string): ServiceError {
  return new ServiceError('bad_subscription', { problem });
}
