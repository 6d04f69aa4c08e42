import { compileFilter, type Filter, nestedFilter, readFilter } from '../../domain/filter.js';
import { readOptions } from '../../domain/subscription.js';
import type { Pace } from '../../pipeline/deliver/delivery.js';
import { ServiceError } from '../../wire/error.js';
import { textOf } from '../../wire/json.js';
import { type JsonText, namePattern } from '../../wire/scalar.js';

/** What begins on a socket, by the query of its handshake or by a frame of its client. */
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
  readonly pace: Pace;
  /** Sequence of the last event that counts as seen; undefined = the newest. */
  readonly after: number | undefined;
}

/** A start as it is asked for, in either way. */
export interface StartRequest {
  /** One that this node has. */
  readonly namespace: string;
  readonly name?: string | undefined;
  readonly isEphemeral: boolean;
  /** A filter as requests have it. */
  readonly filter?: unknown;
  /** Options as requests have them. */
  readonly options?: unknown;
}

/** Before the first event of any node. */
const beforeAll = -1;

/**
 * Reads what begins (S §11.1, §11.2). A durable subscription has its filter and options already: what came beside its
 * name would be dropped silently, so it is refused.
 *
 * @throws ServiceError bad_subscription, bad_name, and what `readFilter`, `compileFilter` and `readOptions` throw
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
      pace: { readAhead, batch },
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

function isEmpty(given: unknown): boolean {
  if (given === undefined || given === null) return true;
  return typeof given === 'object' && !Array.isArray(given) && Object.keys(given).length === 0;
}

function unusable(problem: string): ServiceError {
  return new ServiceError('bad_subscription', { problem });
}
