import type { Ways } from '../../domain/profile.js';
import type { Clock } from '../../ports/clock.js';
import type { PeerAnswer } from '../../ports/data-exchange.js';
import type { Database } from '../../ports/database.js';
import type { Failpoint } from '../../ports/failpoint.js';
import type { Judge } from '../../ports/judge.js';
import type { Log } from '../../ports/log.js';
import type { Metrics } from '../../ports/metrics.js';
import type { Random } from '../../ports/random.js';
import type { OwnIdentity } from '../accept/author.js';
import type { Bell, Bus } from '../bus.js';
import type { Registry } from '../registry.js';

/** The dependencies of the receivers of envelopes. */
export interface ReceivePeerParts {
  readonly database: Database;
  readonly judge: Judge;
  readonly registry: Registry;
  readonly own: OwnIdentity;
  readonly namespaces: readonly string[];
  readonly ways: Ways;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly failpoint: Failpoint;
  /** Told of the nodes that have shown life. */
  readonly onPeer: (node: string) => void;
}

/** The outcome of an envelope, and the stages to wake after the commit. */
export interface Received {
  readonly answer: PeerAnswer;
  readonly bells: readonly Bell[];
  /** How many messages were decided as they came. */
  readonly decided?: number;
}

/** The answer of a receiver that has stored an envelope. */
export const stored: Received = { answer: { status: 'stored' }, bells: [] };

/** It cannot be judged, or has no room, yet. */
export function later(reason: string): Received {
  return { answer: { status: 'later', reason }, bells: [] };
}

/** It never will be taken. */
export function refused(reason: string): Received {
  return { answer: { status: 'refused', reason }, bells: [] };
}
