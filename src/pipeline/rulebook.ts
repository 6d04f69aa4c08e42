import { type NetworkRules, readNetworkRules } from '../domain/network-rules.js';
import type { Profile } from '../domain/profile.js';
import { systemNamespace } from '../domain/identity.js';
import { ChainError } from '../ports/blockchain.js';
import type { Clock } from '../ports/clock.js';
import { type Database, everyNamespace, type Reader, type Unit } from '../ports/database.js';
import { ServiceError } from '../wire/error.js';
import { equal, oldestFirst } from '../wire/query.js';

/** The longest that a request waits for the first log of the chain, in milliseconds. */
const maxWaitMs = 60_000;

/**
 * The rules of this node's network. They are recorded in the first log of the network's contract and never change, so
 * what is committed is read once. A member, and so whatever is to be judged, is never there before them.
 */
export interface Rulebook {
  /**
   * The rules that are committed. On the first start of a node it waits until the log that records them is read.
   *
   * @throws ServiceError stopping when that takes more than a minute, or the node stops
   */
  rules(database: Database): Promise<NetworkRules>;
  /** The rules as the reader sees them, undefined while that log is not read. */
  find(reader: Reader): Promise<NetworkRules | undefined>;
  /** Reads again what is committed, and keeps it. @throws ChainError other_chain */
  refresh(database: Database): Promise<void>;
  /** Refuses the requests that wait for the rules: the node stops. */
  stop(): void;
}

/** A rulebook that has read nothing yet. */
export function createRulebook(clock: Clock, profile?: Profile): Rulebook {
  let kept: NetworkRules | undefined;
  const waits = new AbortController();
  const find = async (reader: Reader): Promise<NetworkRules | undefined> => kept ?? (await readRules(reader));
  return {
    find,
    async rules(database) {
      const rules = await find(database);
      if (rules !== undefined) return rules;
      // A refresh in the meantime has aborted the signal, and the sleep ends at once.
      await clock.sleep(maxWaitMs, waits.signal);
      if (kept !== undefined) return kept;
      const what = waits.signal.aborted ? 'The node is stopping' : 'This node has not read the chain yet';
      throw new ServiceError('stopping', { what });
    },
    async refresh(database) {
      kept = await readRules(database);
      if (kept !== undefined) requireProfile(kept, profile);
      if (kept !== undefined) waits.abort('read');
    },
    stop: () => waits.abort('stopping'),
  };
}

/**
 * Records the limits that a network was created with.
 *
 * @throws ChainError other_chain: this program decides otherwise, so it must not decide there
 */
export async function recordRules(unit: Unit, contract: string, limits: string): Promise<void> {
  assertReadable(limits);
  const where = [equal('contract', contract)];
  const known = await unit.update('networks', { namespace: systemNamespace, where }, { limits });
  if (known === 0) await unit.insert('networks', [{ namespace: systemNamespace, contract, limits }]);
}

/** The profile stands in what is hashed, so a node with another one would disagree with all others. */
function requireProfile({ profile: recorded }: NetworkRules, own: Profile | undefined): void {
  if (recorded === own) return;
  const [theirs, ours] = [recorded, own].map((profile) =>
    profile === undefined ? 'no profile' : `profile ${profile}`,
  );
  throw new ChainError('other_chain', `The network was created with ${theirs}; this node is configured with ${ours}.`);
}

async function readRules(reader: Reader): Promise<NetworkRules | undefined> {
  const [row] = await reader.find('networks', { namespace: everyNamespace, where: [], sort: oldestFirst, limit: 1 });
  return row === undefined ? undefined : assertReadable(row.limits);
}

/** An older program that finds the rows of a newer one stops here, as one that reads the log does. */
function assertReadable(limits: string): NetworkRules {
  const { rules, problem } = readNetworkRules(limits);
  if (rules === undefined) throw new ChainError('other_chain', problem);
  return rules;
}
