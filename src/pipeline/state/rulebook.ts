import { type NetworkRules, readNetworkRules } from '../../domain/network/network-rules.js';
import type { Profile } from '../../domain/network/profile.js';
import { systemNamespace } from '../../domain/network/identity.js';
import { ChainError } from '../../ports/blockchain.js';
import type { Clock } from '../../ports/clock.js';
import type { Database, Reader, Unit } from '../../ports/database.js';
import { ServiceError } from '../../wire/errors/error.js';

/** The longest wait of a request for the first log of the chain. */
const maxWaitMs = 60_000;

/**
 * The rules of this node's network. They are recorded in the first log of the network's contract and never change, so
 * they are read once. They precede all members, and therefore everything that must be decided.
 */
export interface Rulebook {
  /**
   * Returns the committed rules. On the first start of a node it waits until they are read.
   *
   * @throws ServiceError stopping after a minute, or when the node stops
   */
  rules(database: Database): Promise<NetworkRules>;
  /** Returns the rules as the reader sees them; undefined until they are read. */
  find(reader: Reader): Promise<NetworkRules | undefined>;
  /** Reads the committed rules and caches them. @throws ChainError other_chain */
  refresh(database: Database): Promise<void>;
  /** Rejects the requests that wait for the rules. */
  stop(): void;
}

export function createRulebook(clock: Clock, profile?: Profile): Rulebook {
  let kept: NetworkRules | undefined;
  const waits = new AbortController();
  const find = async (reader: Reader): Promise<NetworkRules | undefined> => kept ?? (await readRules(reader));
  return {
    find,
    async rules(database) {
      const rules = await find(database);
      if (rules !== undefined) return rules;
      // `refresh` aborts the signal, which ends the sleep at once.
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
 * Records the limits with which the network was created.
 *
 * @throws ChainError other_chain if this program does not support them
 */
export async function recordRules(unit: Unit, contract: string, limits: string): Promise<void> {
  assertReadable(limits);
  const known = await unit.update('networks', { contract }, { limits });
  if (known === 0) await unit.insert('networks', [{ namespace: systemNamespace, contract, limits }]);
}

/** The profile affects hashes, so a node with another one would disagree with all others. */
function requireProfile({ profile: recorded }: NetworkRules, own: Profile | undefined): void {
  if (recorded === own) return;
  const [theirs, ours] = [recorded, own].map((profile) =>
    profile === undefined ? 'no profile' : `profile ${profile}`,
  );
  throw new ChainError('other_chain', `The network was created with ${theirs}; this node is configured with ${ours}.`);
}

async function readRules(reader: Reader): Promise<NetworkRules | undefined> {
  const row = await reader.first('networks', {});
  return row === undefined ? undefined : assertReadable(row.limits);
}

/** Also stops an older program that finds rows of a newer one. */
function assertReadable(limits: string): NetworkRules {
  const { rules, problem } = readNetworkRules(limits);
  if (rules === undefined) throw new ChainError('other_chain', problem);
  return rules;
}
