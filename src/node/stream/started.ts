import type { Attachment, Delivery } from '../../pipeline/deliver/delivery.js';
import type { Clock } from '../../ports/clock.js';
import type { Subscriber } from '../../ports/subscriber.js';
import { ServiceError } from '../../wire/errors/error.js';
import type { SubscriptionReference } from '../../wire/events/frame.js';
import type { Start } from './start.js';

/** One subscription of a socket. */
export interface StartedSubscription {
  readonly start: Start;
  readonly startTime: string;
  readonly attachment: Attachment;
}

export interface BeginOptions {
  readonly isAutoack: boolean;
  /** Whether to wait for a durable subscription that does not exist yet. */
  readonly mayWait: boolean;
}

/** The subscriptions of one socket. */
export interface Started {
  /** Number of subscriptions that have begun or are about to. */
  readonly count: number;
  /**
   * Starts one; resolves when its start position is fixed. A durable one that has begun on this socket continues
   * unchanged.
   *
   * @throws ServiceError streams_full; not_found for a durable one that does not exist, unless it may wait for it
   */
  begin(start: Start, options: BeginOptions): Promise<void>;
  /**
   * Finds a subscription by reference; without one, the only one. Undefined if there is none, or the reference is
   * ambiguous.
   */
  find(reference: SubscriptionReference | undefined): StartedSubscription | undefined;
  list(): readonly StartedSubscription[];
  /** Ends all subscriptions: unacknowledged events go to others. */
  close(): void;
}

/** Counts the subscriptions of all sockets of a node. */
export interface SubscriptionBudget {
  /** @throws ServiceError streams_full */
  take(): void;
  give(): void;
}

export interface StartedParts {
  readonly delivery: Delivery;
  readonly subscriber: Subscriber;
  readonly clock: Clock;
  readonly budget: SubscriptionBudget;
  readonly onStarted: (namespace: string) => void;
}

const maxStarted = 1_000;

/** Creates the subscriptions of a new socket, none at first. */
export function createStarted({ delivery, subscriber, clock, budget, onStarted }: StartedParts): Started {
  const started = new Set<StartedSubscription>();
  /** Cached by id, so that a socket with many subscriptions need not search all of them for each acknowledgement. */
  const lastFound = new Map<string, StartedSubscription>();
  let isClosed = false;
  let count = 0;

  async function attach(start: Start, isAutoack: boolean): Promise<Attachment> {
    const { namespace } = start;
    if (start.kind === 'ephemeral') {
      const { filter, flow, after } = start;
      return delivery.subscribe({ namespace, filter, flow, after, isAutoack, subscriber });
    }
    return delivery.attach({ namespace, name: start.name, transport: 'websockets', isAutoack, subscriber });
  }

  function release(): void {
    count -= 1;
    budget.give();
  }

  return {
    get count() {
      return count;
    },
    async begin(start, { isAutoack, mayWait }) {
      if ([...started].some((other) => isSame(other.start, start))) return;
      if (count >= maxStarted)
        throw new ServiceError('streams_full', { what: 'subscriptions of this socket', max: maxStarted });
      budget.take();
      count += 1;
      const startTime = clock.now();
      const attachment = await attach(start, isAutoack).catch((error: unknown) => {
        release();
        throw error;
      });
      if (isClosed) {
        release();
        await attachment.close();
      } else if (!mayWait && attachment.subscription() === undefined) {
        release();
        await attachment.close();
        throw noSubscription(start);
      } else {
        started.add({ start, startTime, attachment });
        onStarted(start.namespace);
      }
    },
    find(reference) {
      const id = reference?.id?.toLowerCase();
      const last = lastFound.get(id ?? '');
      if (last !== undefined && isMeant(last.attachment, reference)) return last;
      const [found, another] = [...started].filter(({ attachment }) => isMeant(attachment, reference));
      if (found === undefined || another !== undefined) return undefined;
      if (id !== undefined) lastFound.set(id, found);
      return found;
    },
    list: () => [...started],
    close() {
      isClosed = true;
      for (const { attachment } of started) {
        release();
        void attachment.close();
      }
      started.clear();
      lastFound.clear();
    },
  };
}

function noSubscription(start: Start): ServiceError {
  const name = start.kind === 'durable' ? start.name : '';
  const hint = 'create it with POST subscriptions, or ask for it in a start frame, which waits for it';
  return new ServiceError('not_found', { what: `subscription ${name} in namespace ${start.namespace}; ${hint}` });
}

function isSame(one: Start, other: Start): boolean {
  return (
    one.kind === 'durable' && other.kind === 'durable' && one.namespace === other.namespace && one.name === other.name
  );
}

function isMeant(attachment: Attachment, reference: SubscriptionReference | undefined): boolean {
  if (reference === undefined) return true;
  const subscription = attachment.subscription();
  if (subscription === undefined) return false;
  const { id, namespace, name } = reference;
  return (
    (id ?? subscription.id).toLowerCase() === subscription.id &&
    (namespace ?? subscription.namespace) === subscription.namespace &&
    (name ?? subscription.name) === subscription.name
  );
}
