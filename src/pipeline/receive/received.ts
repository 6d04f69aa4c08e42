import type { ProfileRules } from '../../domain/network/profile.js';
import type { Clock } from '../../ports/clock.js';
import type { PeerAnswer } from '../../ports/data-exchange.js';
import type { Database } from '../../ports/database.js';
import type { Failpoint } from '../../ports/failpoint.js';
import type { Judge } from '../../ports/judge.js';
import type { Log } from '../../ports/log.js';
import type { Metrics } from '../../ports/metrics.js';
import type { Random } from '../../ports/random.js';
import type { OwnIdentity } from '../state/identities/own-identity.js';
import type { Bell, Bus } from '../bus.js';
import type { Registry } from '../state/identities/registry.js';
import type { Rulebook } from '../state/rulebook.js';
import type { NonceGaps } from './messages/nonces.js';

export interface ReceivePeerParts {
  readonly database: Database;
  readonly judge: Judge;
  readonly registry: Registry;
  readonly nonceGaps: NonceGaps;
  readonly rulebook: Pick<Rulebook, 'find'>;
  readonly own: OwnIdentity;
  readonly namespaces: readonly string[];
  readonly profileRules: ProfileRules;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly failpoint: Failpoint;
  /** Called with the id of each node that contacts this one. */
  readonly onPeer: (node: string) => void;
}

/** The answer to an envelope, and the bells to ring after the commit. */
export interface Received {
  readonly answer: PeerAnswer;
  readonly bells: readonly Bell[];
  readonly decided?: number;
}

export const stored: Received = { answer: { status: 'stored' }, bells: [] };

/** The peer must send the envelope again later. */
export function later(reason: string): Received {
  return { answer: { status: 'later', reason }, bells: [] };
}

/** The envelope will never be accepted. */
export function refused(reason: string): Received {
  return { answer: { status: 'refused', reason }, bells: [] };
}
