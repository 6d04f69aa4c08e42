import { systemNamespace } from '../domain/network/identity.js';
import type { Blockchain } from '../ports/blockchain.js';
import type { Clock } from '../ports/clock.js';
import type { Peer } from '../ports/data-exchange.js';
import type { Database, Reader, Unit } from '../ports/database.js';
import type { Log } from '../ports/log.js';
import type { Random } from '../ports/random.js';
import type { IdentityRow } from '../ports/tables/chain-tables.js';
import type { OperationRow } from '../ports/tables/tables.js';
import { every } from '../ports/tables/where.js';
import type { OwnIdentity } from './state/identities/own-identity.js';
import { newRegistryOperation } from './operations/registry-operation.js';
import type { Step } from './loop.js';
import { newSubmittedEvent } from './state/events/event-row.js';
import { newTransaction } from './state/chain/transaction-row.js';

export interface AnnounceParts {
  readonly database: Database;
  readonly blockchain: Blockchain;
  readonly own: OwnIdentity;
  /** This node as peers should know it; undefined if it does not listen. */
  readonly peer?: Peer | undefined;
  readonly processedBlock: () => number;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** An entry for this node in the registry that differs from its own. */
export interface ForeignEntry {
  readonly time: string;
  readonly endpoint: string;
  readonly publicKeyHash: string;
}

/** The state of this node's entry in the registry since start. */
export interface Registration {
  readonly matches: boolean;
  /** How often someone else changed the entry after it was correct. */
  readonly corrections: number;
  readonly found?: ForeignEntry;
}

export interface Announcer {
  readonly step: () => Promise<Step>;
  readonly registration: () => Registration;
}

const nothing: Step = { hasWorked: false, rings: [] };
/** Limits the rate if two nodes with the same key correct each other. */
const minIntervalMs = 1_000;

/**
 * Registers this node's endpoint and key whenever the registry has others (docs/protocol.md §4.2): after a change of
 * ports or certificate, and after someone else with the organisation's key has changed the entry, since members would
 * then send to the wrong node. A call that the chain refuses is not repeated until the entry changes or the node
 * restarts.
 */
export function createAnnouncer(parts: AnnounceParts): Announcer {
  const { database, blockchain, own, peer, processedBlock, clock, log } = parts;
  let hasMatched = false;
  let corrections = 0;
  let found: ForeignEntry | undefined;
  let isForeign = false;
  let last: { readonly operation: string; readonly answered: Place; readonly atMs: number } | undefined;

  async function step(): Promise<Step> {
    if (peer === undefined) return nothing;
    const node = await findOwnNode(database, own.did);
    isForeign = node !== undefined && !isSame(node, peer);
    if (node === undefined) return nothing;
    if (!isForeign) {
      hasMatched = true;
      return nothing;
    }
    if (last !== undefined && clock.monotonicMs() - last.atMs < minIntervalMs) return nothing;
    const newest = await findNewestCall(database, own.key);
    // Rows of earlier blocks may be outdated; only the head of the chain has the current entry.
    if (processedBlock() < (await blockchain.status()).head) return nothing;
    const operation = await database.transaction((unit) => announce(unit, peer, newest));
    if (operation === undefined) return nothing;
    last = { operation, answered: placeOf(node), atMs: clock.monotonicMs() };
    report(node, peer);
    return { hasWorked: false, rings: ['operations', 'events'] };
  }

  function report(node: IdentityRow, wanted: Peer): void {
    found = { time: clock.now(), ...placeOf(node) };
    const fields = { registered: placeOf(node), own: placeOf(wanted) };
    if (hasMatched) {
      corrections += 1;
      log.error("Someone has changed this node's entry in the registry: others know its key", fields);
    } else {
      log.warn('The registry has another endpoint or key for this node; updating it', fields);
    }
  }

  /** Inserts the operation that registers this node; returns its id, or undefined if none is needed. */
  async function announce(unit: Unit, wanted: Peer, seen: OperationRow | undefined): Promise<string | undefined> {
    const node = await findOwnNode(unit, own.did);
    const newest = await findNewestCall(unit, own.key);
    // A newer call may have changed the entry since the last block that was read.
    if (node === undefined || isSame(node, wanted) || newest?.id !== seen?.id) return undefined;
    if (newest !== undefined && isOpen(seen ?? newest) && isSame(placeOfCall(newest), wanted)) return undefined;
    const isRefused = newest?.id === last?.operation && newest?.status === 'Failed';
    if (isRefused && last !== undefined && isSame(node, last.answered)) return undefined;
    const { random } = parts;
    const created = clock.now();
    const tx = random.uuid();
    const subject = { namespace: systemNamespace, tx, batch: '', batchHash: '', signer: own.key };
    const { endpoint, publicKeyHash } = wanted;
    const call = { type: 'set_node', endpoint, publicKeyHash } as const;
    const transaction = newTransaction(systemNamespace, { id: tx, type: 'identity', created });
    await unit.insert('transactions', [transaction]);
    await unit.insert('events', [newSubmittedEvent(transaction, random.uuid())]);
    const id = random.uuid();
    await unit.insert('operations', [newRegistryOperation({ id, created, subject, call })]);
    return id;
  }

  return {
    step,
    registration: () => ({ matches: !isForeign, corrections, ...(found !== undefined && { found }) }),
  };
}

type Place = Pick<ForeignEntry, 'endpoint' | 'publicKeyHash'>;

function placeOf({ endpoint, publicKeyHash }: Pick<IdentityRow, 'endpoint' | 'publicKeyHash'>): Place {
  return { endpoint: endpoint ?? '', publicKeyHash: publicKeyHash ?? '' };
}

function placeOfCall({ input }: OperationRow): Place {
  return { endpoint: String(input['endpoint']), publicKeyHash: String(input['publicKeyHash']) };
}

function findOwnNode(reader: Reader, organization: string): Promise<IdentityRow | undefined> {
  return reader.first('identities', { type: 'node', parent: organization });
}

function isSame(known: Pick<IdentityRow, 'endpoint' | 'publicKeyHash'>, { endpoint, publicKeyHash }: Place): boolean {
  return known.endpoint === endpoint && known.publicKeyHash === publicKeyHash;
}

function isOpen({ status }: OperationRow): boolean {
  return status === 'Initialized' || status === 'Pending';
}

/** The key's newest call of this type, including earlier runs. */
async function findNewestCall(reader: Reader, signer: string): Promise<OperationRow | undefined> {
  const rows = await reader.rows(
    'operations',
    { namespace: every, signer, type: 'blockchain_register_identity' },
    { limit: maxCalls, newestFirst: true },
  );
  return rows.find(({ input }) => input['type'] === 'set_node');
}

/** Calls that register custom identities have the same type. */
const maxCalls = 100;
