import { systemNamespace } from '../domain/identity.js';
import type { Blockchain } from '../ports/blockchain.js';
import type { Clock } from '../ports/clock.js';
import type { Peer } from '../ports/data-exchange.js';
import { type Database, everyNamespace, type Reader, type Unit } from '../ports/database.js';
import type { Log } from '../ports/log.js';
import type { Random } from '../ports/random.js';
import type { IdentityRow, OperationRow } from '../ports/tables.js';
import { among, equal, oldestFirst } from '../wire/query.js';
import type { OwnIdentity } from './accept/author.js';
import { newRegistryOperation } from './dispatch/register.js';
import type { Step } from './loop.js';
import { newSubmittedEvent, newTransaction } from './rows.js';

export interface AnnounceParts {
  readonly database: Database;
  readonly blockchain: Blockchain;
  readonly own: OwnIdentity;
  /** This node as its peers should know it; undefined = it listens to nobody. */
  readonly peer?: Peer | undefined;
  readonly processedBlock: () => number;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

const nothing: Step = { hasWorked: false, rings: [] };

/**
 * Tells the registry where this node listens and by which key it is known, when that differs from what the registry has
 * (S §17.2): after other ports, a new certificate, or a port that the system has chosen. Once in a life: a chain that
 * refuses it is not asked again until the next start.
 */
export function createAnnounceStep(parts: AnnounceParts): () => Promise<Step> {
  const { database, blockchain, own, peer, processedBlock, log } = parts;
  let hasAnnounced = false;
  return async () => {
    if (peer === undefined || hasAnnounced) return nothing;
    const node = await findOwnNode(database, own.did);
    if (node === undefined || isSame(node, peer)) return nothing;
    // What is read of an old chain may be long out of date: only its end says how things are.
    if (processedBlock() < (await blockchain.status()).head) return nothing;
    hasAnnounced = await database.transaction((unit) => announce(unit, peer));
    if (hasAnnounced) log.info('The registry is told where this node listens', { endpoint: peer.endpoint });
    return hasAnnounced ? { hasWorked: false, rings: ['operations', 'events'] } : nothing;
  };

  async function announce(unit: Unit, wanted: Peer): Promise<boolean> {
    const node = await findOwnNode(unit, own.did);
    if (node === undefined || isSame(node, wanted) || (await isOnItsWay(unit, own.key, wanted))) return false;
    const { clock, random } = parts;
    const created = clock.now();
    const tx = random.uuid();
    const subject = { namespace: systemNamespace, tx, batch: '', batchHash: '', signer: own.key };
    const { endpoint, publicKeyHash } = wanted;
    const call = { type: 'set_node', endpoint, publicKeyHash } as const;
    const transaction = newTransaction(systemNamespace, { id: tx, type: 'identity', created });
    await unit.insert('transactions', [transaction]);
    await unit.insert('events', [newSubmittedEvent(transaction, random.uuid())]);
    await unit.insert('operations', [newRegistryOperation({ id: random.uuid(), created, subject, call })]);
    return true;
  }
}

async function findOwnNode(reader: Reader, organization: string): Promise<IdentityRow | undefined> {
  const where = [equal('type', 'node'), equal('parent', organization)];
  const [row] = await reader.find('identities', { namespace: everyNamespace, where, sort: oldestFirst, limit: 1 });
  return row;
}

function isSame(known: Pick<IdentityRow, 'endpoint' | 'publicKeyHash'>, { endpoint, publicKeyHash }: Peer): boolean {
  return known.endpoint === endpoint && known.publicKeyHash === publicKeyHash;
}

/** Whether the newest such call of an earlier life that has not ended says the same. */
async function isOnItsWay(reader: Reader, signer: string, wanted: Peer): Promise<boolean> {
  const isOpen = among('status', ['Initialized', 'Pending']);
  const where = [equal('signer', signer), equal('type', 'blockchain_register_identity'), isOpen];
  const sort = [{ field: 'sequence', descending: true }];
  const rows = await reader.find('operations', { namespace: everyNamespace, where, sort, limit: maxOpen });
  const [newest] = rows.filter(({ input }) => input['type'] === 'set_node');
  return newest !== undefined && sameInput(newest, wanted);
}

const maxOpen = 100;

function sameInput({ input }: OperationRow, { endpoint, publicKeyHash }: Peer): boolean {
  return input['endpoint'] === endpoint && input['publicKeyHash'] === publicKeyHash;
}
