import type { Filter } from '../../domain/filter.js';
import type { Subscriber } from '../../ports/subscriber.js';
import type { DeliveredEvent } from '../../wire/event.js';

/** How events are handed over, whatever the kind of subscription (docs/api.md §14.3). */
export interface Pace {
  /** How many events may be ahead of acknowledgement, beside the one that is being consumed. */
  readonly readAhead: number;
  /** Hand over several at once: when `readAhead` have gathered, or so long after the first (docs/api.md §14.3). */
  readonly batch?: { readonly timeoutMs: number } | undefined;
}

/** A subscription that lasts as long as its connection and is not remembered (docs/api.md §15.5). */
export interface EphemeralRequest {
  readonly namespace: string;
  readonly filter: Filter;
  readonly pace: Pace;
  /** Sequence of the last event that counts as seen; without it the newest. */
  readonly after?: number | undefined;
  /** Each event counts as acknowledged when it is handed over. */
  readonly isAutoack: boolean;
  readonly subscriber: Subscriber;
}

/** A connection to a durable subscription, which may not exist yet (docs/api.md §15.2). */
export interface AttachRequest {
  readonly namespace: string;
  readonly name: string;
  readonly transport: 'websockets' | 'webhooks';
  readonly isAutoack: boolean;
  readonly subscriber: Subscriber;
}

/** One connection between a subscription and a subscriber. */
export interface Attachment {
  /** Undefined while no durable subscription of that name exists. */
  subscription(): DeliveredEvent['subscription'] | undefined;
  /**
   * Whether it is active: of several connections on one durable subscription one is active; the others stand by
   * (docs/api.md §14.4).
   */
  isActive(): boolean;
  /**
   * Acknowledges what was handed over to it (without an id the oldest in flight), and makes room once that is on disk.
   * False when the id matches nothing that is, or recently was, in flight here.
   */
  acknowledge(id?: string): boolean;
  /** Ends the connection: what is not acknowledged goes to the next one, lowest first. */
  close(): Promise<void>;
}

/** The state of delivery of a durable subscription. */
export interface Activity {
  /** Sequence up to which every event does not match, or its acknowledgement is on disk. */
  readonly currentOffset: number;
  readonly connections: number;
  readonly inFlight: number;
}

/** Events to subscribers: at least once, in order of sequence, for ever (docs/api.md §14.4). */
export interface Delivery {
  /**
   * Starts an ephemeral subscription: it gets every matching event that is inserted after this call was made, in order.
   * Resolves when its start is fixed.
   */
  subscribe(request: EphemeralRequest): Promise<Attachment>;
  /** Attaches to a durable subscription, or to the next one of that name. Resolves when that has been looked up. */
  attach(request: AttachRequest): Promise<Attachment>;
  /**
   * The activity of a durable subscription by its id; `undefined` when it is not active: its row then has its position.
   */
  activityOf(id: string): Activity | undefined;
  stop(): Promise<void>;
}
