import { poolTag } from '../../../domain/definition.js';
import { definitionTopic, systemNamespace } from '../../../domain/network/identity.js';
import { assert } from '../../../domain/invariant.js';
import { readPoolMethods } from '../../../domain/tokens/methods.js';
import { type Blockchain, ChainError } from '../../../ports/blockchain.js';
import type { Clock } from '../../../ports/clock.js';
import type { Database, Reader, Unit } from '../../../ports/database.js';
import type { Random } from '../../../ports/random.js';
import type { MessageRow, OperationRow } from '../../../ports/tables/tables.js';
import type { FoundPool, LocatedPool, PoolOrigin, TokenConnector } from '../../../ports/token-connector.js';
import type { PoolRow } from '../../../ports/tables/token-tables.js';
import { check } from '../../../wire/check.js';
import { isServiceError } from '../../../wire/errors/error.js';
import { type PoolDefinition, PoolInput } from '../../../wire/token.js';
import type { OwnIdentity } from '../../state/identities/own-identity.js';
import type { Sender } from '../../state/messages/sender.js';
import { newActivation } from '../../operations/activation.js';
import type { AttemptResult, RunOperation, Settlement } from '../../operations/attempt.js';
import type { Bell } from '../../bus.js';
import { refuseNetworkContract } from '../../state/contracts/network-contract.js';
import { definingKey } from '../../state/identities/registered-key.js';
import { newEvent } from '../../state/events/event-row.js';
import { releasePool } from '../../state/tokens/pool.js';
import { definedPool, poolDefinition } from '../../state/tokens/token-pool.js';
import type { Absent, CallChain, SuccessReceipt } from './chain-call.js';
import type { UntilRecorded } from '../recorded.js';

export interface CreatePoolParts {
  readonly database: Database;
  readonly blockchain: Blockchain;
  readonly connectors: ReadonlyMap<string, TokenConnector>;
  readonly own: Pick<OwnIdentity, 'key'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly callChain: CallChain;
  readonly untilRecorded: UntilRecorded;
  readonly prepareDefinition: Sender['prepareDefinition'];
}

/**
 * Runs `token_create_pool`: creates a pool on the chain, or looks up an existing contract. Then it sends the definition
 * to all members or, if the pool is unpublished, follows it on this node only (docs/api.md §19.1).
 */
export function createCreatePool(parts: CreatePoolParts): RunOperation {
  const { connectors, callChain, clock, random, untilRecorded } = parts;
  return async (operation, signal) => {
    const { input } = operation;
    assert(check(PoolInput, input), 'the input of the creation of a pool says all of it');
    const failed = (): Settlement['write'] => (unit) => recordFailure(unit, operation, clock.now(), random);
    const connector = connectors.get(operation.plugin);
    if (connector === undefined) {
      return { status: 'later', error: `This node has no token connector ${operation.plugin} now.` };
    }
    const work = { operation, input, connector };
    try {
      const origin = connector.createPool(requestOf(input), input.data);
      const contract = origin.kind === 'existing' ? origin.address : origin.call.to;
      refuseNetworkContract(parts.blockchain.network, contract);
      if (origin.kind === 'existing') return await adopt(parts, work, origin);
      return await callChain(operation, {
        call: () => Promise.resolve({ type: 'contract', ...origin.call }),
        async mined(receipt) {
          // A receipt without enough confirmations may change, and no other part would notice.
          const seen = await untilRecorded(operation, receipt.block, signal);
          if (seen === 'absent') return find(parts, { ...work, contract }, receipt);
          return { status: 'later', error: `The chain is not read up to block ${receipt.block} yet.` };
        },
        failed,
      });
    } catch (error) {
      // The contract, or a changed connector, may now refuse a request that was accepted.
      if (isServiceError(error)) return { status: 'failed', error: error.message, write: failed() };
      if (!(error instanceof ChainError) || error.reason === 'other_chain') throw error;
      return { status: 'unreachable', error: error.message };
    }
  };
}

interface Work {
  readonly operation: OperationRow;
  readonly input: PoolInput;
  readonly connector: TokenConnector;
}

function requestOf({ type, name, symbol, config }: PoolInput) {
  return { type, name, symbol, config };
}

/** Uses a contract that is already deployed. */
async function adopt(
  parts: CreatePoolParts,
  work: Work,
  origin: Extract<PoolOrigin, { kind: 'existing' }>,
): Promise<AttemptResult<Settlement>> {
  const { blockchain } = parts;
  const { head } = await blockchain.status();
  const row = await findPool(parts.database, work.operation.namespace, work.input.pool);
  const methods = row === undefined || row.methods === null ? undefined : readPoolMethods(row.methods);
  const request = { ...requestOf(work.input), methods };
  const found = await work.connector.inspect(request, origin, (query) => blockchain.query(query), head);
  return created(parts, work, found, {});
}

async function find(
  parts: CreatePoolParts,
  work: Work & { readonly contract: string | null },
  { transactionHash, block, transactionIndex }: SuccessReceipt,
): Promise<AttemptResult<Settlement> | Absent> {
  const { blockchain } = parts;
  const { creations } = work.connector;
  const source = work.contract === null ? creations : { ...creations, address: work.contract };
  const logs = await blockchain.readLogs(source, block, block);
  const own = logs.filter((log) => log.transactionHash === transactionHash);
  const [found] = own.flatMap((log) => work.connector.readCreation(log) ?? []);
  if (found === undefined) {
    return { status: 'absent', error: `The transaction ${transactionHash} has brought no pool.` };
  }
  return created(parts, work, found, { transactionHash, blockNumber: block, transactionIndex });
}

async function created(
  { database, own, clock, random, prepareDefinition }: CreatePoolParts,
  { operation, input, connector }: Work,
  found: FoundPool,
  receipt: Readonly<Record<string, unknown>>,
): Promise<AttemptResult<Settlement>> {
  const located = connector.locate(found.locator);
  assert(located !== undefined, 'a connector knows its own locators');
  const output = { ...receipt, locator: found.locator };
  const pool = await findPool(database, operation.namespace, input.pool);
  // The pool was deleted meanwhile.
  if (pool?.state !== 'creating') return { status: 'done', output: { output, write: () => Promise.resolve([]) } };
  const now = { ...pool, ...foundRow(pool, found, located) };
  const sent = await findSent(database, pool);
  // A definition that is pinned before the pool's new place will be rejected.
  const isDefined = sent?.locator === found.locator && !(await isPinnedUpTo(database, sent.message, located.block));
  const networkName = sent?.name ?? (input.publish ? input.networkName : undefined);
  const definition =
    networkName !== undefined && !isDefined
      ? await prepareDefinition({
          tag: poolTag,
          topics: [definitionTopic(pool.namespace)],
          value: poolDefinition(now, networkName),
          key: await definingKey(database, own, operation.signer),
        })
      : undefined;
  const id = random.uuid();
  return {
    status: 'done',
    output: {
      output,
      async write(unit) {
        const message = definition?.message.header.id ?? sent?.message.id ?? null;
        const changes = { ...foundRow(pool, found, located), message, state: 'known' } as const;
        const changed = await unit.update('pools', { sequence: pool.sequence, state: 'creating' }, changes);
        if (changed === 0) return [];
        const bells = await releasePool(unit, pool);
        const sentBells = (await definition?.store(unit)) ?? [];
        if (input.publish) return [...bells, ...sentBells];
        const { namespace, tx } = operation;
        const { connector: name } = pool;
        const activation = { id, tx, created: clock.now(), namespace, pool: pool.id, connector: name };
        await unit.insert('operations', [newActivation(activation)]);
        return [...bells, ...sentBells, 'operations'];
      },
    },
  };
}

interface SentDefinition extends Pick<PoolDefinition, 'name' | 'locator'> {
  readonly message: MessageRow;
}

/** Finds the definition that was sent before a reorganisation and is not decided. */
async function findSent(reader: Reader, pool: PoolRow): Promise<SentDefinition | undefined> {
  if (pool.message === null) return undefined;
  const message = await reader.first('messages', {
    namespace: systemNamespace,
    id: pool.message,
    type: 'definition',
    state: 'ready',
  });
  if (message === undefined) return undefined;
  const record = await definedPool(reader, message);
  return record?.id === pool.id ? { name: record.name, locator: record.locator, message } : undefined;
}

/** Whether a message has a pin in a block up to this one, which was read. */
async function isPinnedUpTo(reader: Reader, message: MessageRow, block: number): Promise<boolean> {
  const { batch, batchHash, key: signer, pins } = message;
  const context = pins[0];
  if (batch === null || batchHash === null || context === undefined) return false;
  const pin = await reader.first('pins', { batch, batchHash, signer, context });
  return pin !== undefined && pin.block <= block;
}

/** The columns of a pool that come from the chain. */
function foundRow(pool: PoolRow, { locator, creator }: FoundPool, located: LocatedPool) {
  const { key: chainKey, address, standard, decimals, info } = located;
  return { locator, chainKey, address, standard, decimals, info, key: creator ?? pool.key };
}

function findPool(reader: Reader, namespace: string, id: string): Promise<PoolRow | undefined> {
  return reader.first('pools', { namespace, id });
}

/** Records the failure. The pool's row stays, so that it can be retried or deleted. */
async function recordFailure(
  unit: Unit,
  { id: reference, namespace, tx, input }: OperationRow,
  created: string,
  random: Random,
): Promise<readonly Bell[]> {
  const pool = String(input['pool']);
  const subject = { namespace, id: random.uuid(), type: 'token_pool_op_failed', reference } as const;
  await unit.insert('events', [
    newEvent({ ...subject, topic: pool, correlator: pool, tx, txtype: 'token_pool', created }),
  ]);
  // Its definition, from before a reorganisation, may wait for the creation.
  return ['events', ...(await releasePool(unit, { namespace, id: pool }))];
}
