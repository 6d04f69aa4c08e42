import type { Filter } from '../../domain/events/filter.js';
import type { Subscriber } from '../../ports/subscriber.js';
import type { DeliveredEvent } from '../../wire/events/event.js';
import type { JsonText } from '../../wire/scalar.js';

/** Delivery options for any kind of subscription (docs/api.md §14.3). */
export interface FlowControl {
  /** Number of events that may be sent ahead of the oldest unacknowledged one. */
  readonly readAhead: number;
  /** Delivers in batches: after `readAhead` events, or `timeoutMs` after the first (docs/api.md §14.3). */
  readonly batch?: { readonly timeoutMs: number } | undefined;
}

/** A subscription that ends with its connection (docs/api.md §15.5). */
export interface EphemeralRequest {
  readonly namespace: string;
  readonly filter: Filter;
  readonly flow: FlowControl;
  /** Sequence of the last event to skip; by default the newest. */
  readonly after?: number | undefined;
  /** Whether events are acknowledged when they are delivered. */
  readonly isAutoack: boolean;
  readonly subscriber: Subscriber;
}

/** A connection to a durable subscription that may not exist yet (docs/api.md §15.2). */
export interface AttachRequest {
  readonly namespace: string;
  readonly name: string;
  readonly transport: 'websockets' | 'webhooks';
  /** The options that a webhook delivers by. It gets nothing under others. */
  readonly options?: JsonText | undefined;
  readonly isAutoack: boolean;
  readonly subscriber: Subscriber;
}

export interface Attachment {
  /** Undefined while no durable subscription of that name exists. */
  subscription(): DeliveredEvent['subscription'] | undefined;
  /**
   * Whether this connection receives events; the other connections of a durable subscription are on standby
   * (docs/api.md §14.4).
   */
  isActive(): boolean;
  /**
   * Acknowledges an event or batch, by default the oldest in flight; it makes room once that is on disk. Returns false
   * if the id is not, and was not recently, in flight here.
   */
  acknowledge(id?: string): boolean;
  /** Closes the connection; unacknowledged events go to the next one, lowest first. */
  close(): Promise<void>;
}

export interface Activity {
  /** Sequence up to which each event does not match or is acknowledged on disk. */
  readonly currentOffset: number;
  readonly connections: number;
  readonly inFlight: number;
}

/** Delivers events to subscribers: at least once, in order of sequence (docs/api.md §14.4). */
export interface Delivery {
  /**
   * Starts an ephemeral subscription to every matching event inserted after this call. Resolves once the start is
   * fixed.
   */
  subscribe(request: EphemeralRequest): Promise<Attachment>;
  /** Attaches to a durable subscription, now or when one of that name is created. Resolves after the lookup. */
  attach(request: AttachRequest): Promise<Attachment>;
  /** The activity of a durable subscription; undefined if it is inactive; its row then has the position. */
  activityOf(id: string): Activity | undefined;
  stop(): Promise<void>;
}
