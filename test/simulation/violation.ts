import type { MemoryLedger } from '../../src/adapters/blockchain/memory/memory.js';
import type { SendRecord } from '../../src/bench/check/recording.js';
import type { Application } from './application.js';
import { checkAtRest } from './at-rest.js';
import type { Client } from './client.js';
import { checkContracts } from './contractors.js';
import type { Consumer } from './consumer.js';
import { checkDatatypes } from './datatypes.js';
import type { Deleter } from './deleter.js';
import type { Hook } from './hook.js';
import type { Listening } from './listening.js';
import type { Oracle } from './oracle.js';
import type { Overlaps } from './overlaps.js';
import type { Party } from './party.js';
import { checkIdentities } from './identities.js';
import { checkPrivacy } from './privacy.js';
import type { Registrants } from './registrants.js';
import { checkSenderOrder } from './sender-order.js';
import { InvariantViolation } from './shadow.js';
import type { Situation } from './situations.js';
import { checkTokens } from './tokens.js';
import type { Traders } from './traders.js';

/** A network that has healed, with all its users. */
export interface RestingNetwork {
  readonly parties: readonly Party[];
  readonly ledger: MemoryLedger;
  readonly oracle: Oracle;
  readonly client: Client;
  readonly consumers: readonly Consumer[];
  readonly applications: readonly Application[];
  readonly hooks: readonly Hook[];
  readonly traders: readonly Traders[];
  /** Whether the chain replaces blocks. */
  readonly isReplaced: boolean;
  readonly deleter: Deleter;
  readonly registrants: Registrants;
  /** The sends of all users. */
  readonly sends: () => readonly SendRecord[];
  readonly listening: Listening | undefined;
  readonly overlaps: Overlaps | undefined;
  readonly sometimes: (situation: Situation) => void;
}

/** Returns the first invariant that does not hold; something missing is a violation, too. */
export async function findViolation(network: RestingNetwork): Promise<InvariantViolation | undefined> {
  const { applications, hooks, consumers, client, deleter, oracle, parties, traders, ledger } = network;
  const { registrants, isReplaced, sometimes } = network;
  const sends = network.sends().map((send) => {
    if (send.id === null) return send;
    const isCancelled = network.overlaps?.isCancelled(send.party, send.id) === true;
    return isCancelled || oracle.hasVoid(send.party, send.id) ? { ...send, id: null } : send;
  });
  try {
    for (const consumer of consumers) consumer.check();
    for (const application of applications) await application.check();
    for (const hook of hooks) await hook.check();
    checkSenderOrder(sends, oracle);
    if (traders.length > 0) await checkTokens({ parties, ledger, traders, oracle, isReplaced, sometimes });
    await network.listening?.check();
    await network.overlaps?.check();
    for (const { name, disk, files } of parties) {
      await checkAtRest(name, disk, files, oracle, sends, deleter.deleted(name));
      await checkDatatypes(name, disk, oracle);
      await checkContracts(name, disk, oracle);
      await checkIdentities({ party: name, disk, oracle, claims: registrants.claims(), sometimes });
      await checkPrivacy(name, disk, files, { drafts: client.drafts(), heirs: network.overlaps?.heirs });
    }
    return undefined;
  } catch (error) {
    if (error instanceof InvariantViolation) return error;
    throw error;
  }
}
