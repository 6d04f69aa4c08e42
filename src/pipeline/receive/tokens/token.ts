import { readOperationData } from '../../../domain/operation-data.js';
import { readPoolMethods } from '../../../domain/tokens/methods.js';
import type { Clock } from '../../../ports/clock.js';
import type { ContractLog } from '../../../ports/blockchain.js';
import type { Unit } from '../../../ports/database.js';
import type { Random } from '../../../ports/random.js';
import type { LocatedPool, TokenConnector, TokenEvent } from '../../../ports/token-connector.js';
import type { PoolRow } from '../../../ports/tables/token-tables.js';
import { type Columns, every } from '../../../ports/tables/where.js';
import type { OperationData } from '../../../wire/token.js';
import { type Applied, partsOf, type SourceApplier, type SourceWrite } from '../chain/applier.js';
import type { PoolEvent } from './pool-event.js';
import { recordEvents } from './record.js';

export interface TokenApplierParts {
  readonly connectors: ReadonlyMap<string, TokenConnector>;
  readonly clock: Clock;
  readonly random: Random;
}

/** Records transfers, approvals and balances from the logs of token contracts (docs/api.md §19.3). */
export interface TokenApplier extends SourceApplier {
  /** Returns the writes for a part of the history of one pool that is not followed yet. */
  writesForHistory(pool: PoolRow, logs: readonly ContractLog[]): readonly SourceWrite[];
}

export function createTokenApplier({ connectors, clock, random }: TokenApplierParts): TokenApplier {
  const read = (logs: readonly ContractLog[]): readonly Seen[] =>
    [...connectors.values()]
      .flatMap((connector) =>
        connector
          .events(logs)
          .map((event) => ({ event, connector, operationData: readOperationData(event.data, typeOf(event)) })),
      )
      .sort(byPlace);

  const record = (unit: Unit, events: readonly PoolEvent[]): Promise<Applied> =>
    recordEvents(unit, events, { now: clock.now(), random });

  return {
    writesFor: (logs) =>
      partsOf(read(logs)).map((seen) => async (unit) => {
        const pools = await findFollowed(unit, seen);
        return record(
          unit,
          seen.flatMap((each) => inPools(each, pools)),
        );
      }),
    writesForHistory(pool, logs) {
      const seen = read(logs).map(earlierWithoutMessage(pool));
      return partsOf(seen.flatMap((each) => inPools(each, [pool]))).map((events) => (unit) => record(unit, events));
    },
  };
}

/**
 * Removes the message from events before a pool's first block: messages are judged by events of the pool itself, and a
 * node that followed it with an earlier version has no others.
 */
function earlierWithoutMessage({ locator }: PoolRow) {
  return (seen: Seen): Seen => {
    const { event, connector, operationData } = seen;
    const first = locator === null ? undefined : connector.locate(locator)?.block;
    if (operationData === undefined || first === undefined || event.log.position.block >= first) return seen;
    const { tx, txtype } = operationData;
    return { ...seen, operationData: { tx, txtype } };
  };
}

interface Seen {
  readonly event: TokenEvent;
  readonly connector: TokenConnector;
  readonly operationData: OperationData | undefined;
}

function typeOf({ type }: TokenEvent): 'token_transfer' | 'token_approval' {
  return type === 'transfer' ? 'token_transfer' : 'token_approval';
}

/** Returns the followed pools that these events may belong to, by their key on chain or their contract. */
async function findFollowed(unit: Unit, seen: readonly Seen[]): Promise<readonly PoolRow[]> {
  const keys = new Set(seen.flatMap(({ event }) => event.pool ?? []));
  const addresses = new Set(seen.flatMap(({ event }) => (event.pool === null ? [event.address] : [])));
  const find = (columns: Pick<Columns<'pools'>, 'chainKey' | 'address'>): Promise<readonly PoolRow[]> =>
    unit.rows('pools', { namespace: every, ...columns, state: 'followed' }, { limit: maxPools });
  const pools = [
    ...(keys.size === 0 ? [] : await find({ chainKey: [...keys] })),
    ...(addresses.size === 0 ? [] : await find({ address: [...addresses] })),
  ];
  return [...new Map(pools.map((pool) => [pool.sequence, pool])).values()];
}

/** More pools than a node has. */
const maxPools = 100_000;

function inPools({ event, connector, operationData }: Seen, pools: readonly PoolRow[]): PoolEvent[] {
  return pools
    .filter((pool) => pool.connector === connector.name)
    .filter(({ chainKey, address }) => (event.pool === null ? address === event.address : chainKey === event.pool))
    .map((pool) => {
      const located = pool.locator === null ? undefined : connector.locate(pool.locator);
      const ofLog = event.isFromInput === true ? undefined : operationData;
      const isRead = event.log.input !== undefined && located?.readsInput === true;
      const ofPool = isRead ? (operationData ?? dataOfCall(pool, event, connector)) : ofLog;
      return {
        pool,
        event: signedEvent(event, located),
        protocolId: protocolIdIn(event, located),
        operationData: ofPool,
      };
    });
}

/**
 * Uses the sender of the transaction as the signer only if this pool's own locator requests transactions, as for data
 * from inputs. Another pool of the contract may have requested them on this node alone, and nodes would differ.
 */
function signedEvent(event: TokenEvent, located: LocatedPool | undefined): TokenEvent {
  if (event.type !== 'transfer' || event.sender === undefined || located?.source.withInput !== true) return event;
  return { ...event, signer: event.sender };
}

/** Decodes the data of a call with the pool's own methods. */
function dataOfCall({ methods }: PoolRow, event: TokenEvent, connector: TokenConnector): OperationData | undefined {
  if (methods === null || event.data !== undefined) return undefined;
  return readOperationData(connector.dataOf(event.log, readPoolMethods(methods)), typeOf(event));
}

function protocolIdIn({ pool, protocolId }: TokenEvent, located: LocatedPool | undefined): string {
  const startId = pool === null ? located?.startId : undefined;
  return startId == null ? protocolId : `${protocolId}/${startId}`;
}

/** Chain order, across connectors. */
function byPlace({ event: { log: a } }: Seen, { event: { log: b } }: Seen): number {
  return (
    a.position.block - b.position.block ||
    a.position.transactionIndex - b.position.transactionIndex ||
    a.position.logIndex - b.position.logIndex
  );
}
