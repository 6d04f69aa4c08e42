import type { ContractLog } from '../../src/ports/blockchain.js';
import type { BlockchainEventRow } from '../../src/ports/tables/contract-tables.js';
import type { Simulator } from './life.js';
import { type Ask, heardBy, type Listener } from './listener.js';
import { type HeardKind, heardIn } from './meters.js';
import { InvariantViolation } from './shadow.js';
import type { Disk } from './storage.js';

/** An event of a listener, with its record. */
export interface Told {
  readonly row: BlockchainEventRow;
  readonly topic: string | null;
  readonly chainName: string | null;
  readonly tx: string | null;
  /** The transaction of the call, if this node has made it. */
  readonly madeBy: string | null;
}

const everything = 100_000;
const oldestFirst = [{ field: 'sequence', descending: false }];

/** Returns the events of each listener, in the order of the node's events. */
export async function readTold(party: string, disk: Disk): Promise<ReadonlyMap<string, readonly Told[]>> {
  const query = { namespace: 'default', where: [], sort: oldestFirst, limit: everything };
  const rows = (await disk.find('blockchainevents', query)).filter(({ listener }) => listener !== null);
  const events = (await disk.find('events', query)).filter(
    ({ type, listener }) => type === 'blockchain_event_received' && listener !== null,
  );
  const operations = await disk.find('operations', query);
  const callers = new Map(operations.map(({ transactionHash, tx }) => [transactionHash, tx]));
  const byId = new Map(rows.map((row) => [row.id, row]));
  const told = new Map<string, Told[]>();
  for (const { reference, listener, topic, chainName, tx } of events) {
    const row = byId.get(reference);
    byId.delete(reference);
    if (row === undefined || row.listener !== listener || listener === null) {
      throw new InvariantViolation('I15', `an event of listener ${listener ?? ''} at ${party} refers to ${reference}`);
    }
    const madeBy = callers.get(row.blockchainId) ?? null;
    told.set(listener, [...(told.get(listener) ?? []), { row, topic, chainName, tx, madeBy }]);
  }
  for (const [id] of byId) throw new InvariantViolation('I15', `the blockchain event ${id} at ${party} has no event`);
  return told;
}

/** I15: a listener received each of its logs, from its first block until it was deleted, in the order of the chain. */
export function checkListener(
  party: string,
  { id, topic, asks, first = 0, state, until }: Listener,
  logs: readonly ContractLog[],
  told: readonly Told[],
): void {
  const wanted = logs
    .filter(({ position: { block } }) => block >= first && block <= (until ?? Infinity))
    .flatMap((log) => heardBy(asks, log).slice(0, 1));
  const found = told.map(textOfTold);
  const expected = wanted.map((heard) => [heard.place, heard.address, heard.name, topic, heard.output].join(' '));
  const isWhole = until === undefined || state === 'following';
  const isRight = found.every((text, index) => expected[index] === text);
  if (isRight && (found.length === expected.length || !isWhole)) {
    if (until === undefined && state !== 'following') {
      throw new InvariantViolation('I12', `listener ${id} at ${party} is ${state} for ever`);
    }
    return;
  }
  const at = found.findIndex((text, index) => expected[index] !== text);
  const [is, should] = at < 0 ? ['nothing more', expected[found.length]] : [found[at], expected[at]];
  const where = `listener ${id} from block ${first} to ${until ?? 'the last'} at ${party}`;
  throw new InvariantViolation(
    'I15',
    `${where} is told ${found.length} of ${expected.length} logs: ${is ?? ''} and not ${should ?? 'nothing'}`,
  );
}

/** Formats an event. One that differs from its record, or names another call, equals no other. */
function textOfTold({ row, topic, chainName, tx, madeBy }: Told): string {
  const { protocolId, name, output, txid } = row;
  const { address } = JSON.parse(row.info) as { readonly address: string };
  const calls =
    tx === txid && tx === madeBy ? [] : [`by ${txid ?? 'nobody'} and ${tx ?? 'nobody'}, not ${madeBy ?? ''}`];
  const names = name === chainName ? [] : [`not ${chainName ?? ''}`];
  return [protocolId, address, name, topic, output, ...names, ...calls].join(' ');
}

export function countSituations(
  listeners: readonly Listener[],
  logs: readonly ContractLog[],
  sometimes: Simulator['sometimes'],
): void {
  for (const log of logs) {
    const ears = listeners.map(({ asks }) => heardBy(asks, log).length);
    if (ears.filter((count) => count > 0).length > 1) sometimes('log of several listeners');
    if (ears.some((count) => count > 1)) sometimes('log of two filters');
    if (listeners.some(({ asks }) => asks.some((ask) => isOfAnotherLayout(ask, log)))) {
      sometimes('log of another layout passed over');
    }
  }
}

function isOfAnotherLayout({ kind, address }: Ask, log: ContractLog): boolean {
  if (address !== undefined && address !== log.address) return false;
  const other = kind.startsWith('plain ') ? kind.slice('plain '.length) : `plain ${kind}`;
  return heardIn(other as HeardKind, log) !== undefined;
}
