import { tokenPoolsAddress } from '../../src/adapters/blockchain/memory/chain.js';
import type { MemoryLedger } from '../../src/adapters/blockchain/memory/memory.js';
import { Interface } from 'ethers';
import { check } from '../../src/bench/check.js';
import type { BalanceFacts, PartyRecord } from '../../src/bench/check/recording.js';
import { tokenPoolsAbi } from '../../src/domain/tokens/contracts.js';
import type { Disk } from './storage.js';
import type { TableName, Tables } from '../../src/ports/tables/tables.js';
import type { PoolRow } from '../../src/ports/tables/token-tables.js';
import { every } from '../../src/ports/tables/where.js';
import type { Simulator } from './life.js';
import { InvariantViolation } from './shadow.js';
import type { Oracle } from './oracle.js';
import type { Traders } from './traders.js';

const everything = 100_000;
const contract = new Interface(tokenPoolsAbi);

interface Holder {
  readonly name: string;
  readonly key: string;
  readonly disk: Disk;
}

/** Refusals that may end an operation without a result. In other blocks a pool may have another number. */
const refusals = /ERC1155|NotCreator|PoolUnknown|PoolIs/;

/** If the pool has another number now, the call acted on the pool that has the number. */
const misdirected = /has brought no event of such an operation/;

/** The operation waits in case the party of the pool defines it again (docs/operations.md §10.1). */
const endless = /^Its pool is no longer defined/;

export interface TokenChecks extends Pick<Simulator, 'sometimes'> {
  readonly parties: readonly Holder[];
  readonly ledger: MemoryLedger;
  /** Those of each namespace. */
  readonly traders: readonly Traders[];
  readonly oracle: Oracle;
  /** Whether the chain replaces blocks. */
  readonly isReplaced: boolean;
}

/** Checks pools, I11, and that operations and their messages agree (docs/architecture.md §9.2), at rest. */
export async function checkTokens(checks: TokenChecks): Promise<void> {
  const { parties, isReplaced } = checks;
  for (const party of parties) {
    await checkPools(party, checks);
    await checkOperations(party, checks);
    await checkMessages(party, isReplaced);
    await checkBalances([party], { ...checks, published: false });
  }
  await checkBalances(parties, { ...checks, published: true });
  await checkApprovals(parties);
}

/** I11 for approvals: every party has the same in the published pools. */
async function checkApprovals(parties: readonly Holder[]): Promise<void> {
  const texts = await Promise.all(
    parties.map(async ({ disk }) => {
      const pools = new Set((await poolsOf(disk, true)).map(({ id }) => id));
      const approvals = (await rowsOf(disk, 'approvals')).filter(({ pool }) => pools.has(pool));
      return approvals
        .map(({ pool, protocolId, key, operator, approved, active }) =>
          [pool, protocolId, key, operator, approved, active].join(' '),
        )
        .sort()
        .join();
    }),
  );
  const [first = '', ...others] = texts;
  const other = others.find((text) => text !== first);
  if (other === undefined) return;
  throw new InvariantViolation('I11', `${parties[0]?.name} has the approvals ${first}, and another party ${other}`);
}

interface BalanceChecks extends Pick<TokenChecks, 'ledger'> {
  readonly parties: readonly Holder[];
  /** Whether to check the pools that all members have, or those that only these holders have. */
  readonly published: boolean;
}

/** I11 for the published pools of these holders, or for their other pools. */
async function checkBalances(holders: readonly Holder[], { ledger, parties, published }: BalanceChecks): Promise<void> {
  const records: PartyRecord[] = [];
  for (const holder of holders) records.push(await recordOf(holder, published));
  const contractBalances = await askContract(holders[0], { ledger, parties, published });
  const recording = { sends: [], parties: records, pins: [], payloads: new Map(), blocks: [], contractBalances };
  const finding = check(recording).find(({ invariant }) => invariant === 'I11');
  if (finding?.status === 'VIOLATED') throw new InvariantViolation('I11', finding.proof ?? '');
}

interface Place {
  readonly id: string;
  readonly namespace: string;
  readonly networkName: string | null;
  readonly locator: string | null;
}

/** I10, I12: a party has exactly the defined pools, besides its own that are not shared, and all of them are active. */
async function checkPools({ name, disk }: Holder, { traders, oracle }: TokenChecks): Promise<void> {
  const pools = await rowsOf(disk, 'pools');
  const texts = (list: readonly Place[]): string =>
    list
      .map(({ id, namespace, networkName, locator }) => `${namespace}/${id} ${networkName ?? ''} ${locator ?? ''}`)
      .sort()
      .join();
  const here = texts(pools.filter(({ published }) => published));
  const wanted = texts(oracle.pools().map((pool) => ({ ...pool, networkName: pool.name })));
  if (here !== wanted) throw new InvariantViolation('I10', `${name} has the pools ${here}, not ${wanted}`);
  for (const { id, state, active } of pools) {
    if (!active) throw new InvariantViolation('I12', `the pool ${id} is ${state} and not active at ${name}`);
  }
  const defined = new Set(oracle.pools().map(({ id }) => id));
  // The chain may define a deleted pool after all, by a pin that it had reverted before it replaced blocks.
  const undefinedPools = pools.filter(({ id }) => !defined.has(id));
  for (const { pools: makers } of traders) {
    checkKept(name, pools, makers);
    checkDeleted(name, undefinedPools, makers);
  }
}

/** I1: a pool that was made for its party alone is there until it is deleted. */
function checkKept(name: string, pools: readonly PoolRow[], makers: Traders['pools']): void {
  for (const { id, party, isLocal, name: called } of makers.pools()) {
    const isKept = party === name && isLocal && !makers.hasAsked(name, called);
    if (isKept && !pools.some((pool) => pool.id === id))
      throw new InvariantViolation('I1', `the pool ${id} is not at ${name}`);
  }
}

/** I14: a deleted pool never comes again. */
function checkDeleted(name: string, pools: readonly PoolRow[], makers: Traders['pools']): void {
  const deleted = pools.find(({ id }) => makers.deleted(name).has(id));
  if (deleted !== undefined) throw new InvariantViolation('I14', `the deleted pool ${deleted.id} is at ${name}`);
}

const oldestFirst = [{ field: 'sequence', descending: false }];

function rowsOf<T extends TableName>(disk: Disk, table: T): Promise<readonly Tables[T][]> {
  return disk.find(table, { namespace: every, where: [], sort: oldestFirst, limit: everything });
}

async function recordOf({ name, disk }: Holder, published: boolean): Promise<PartyRecord> {
  const pools = new Set((await poolsOf(disk, published)).map(({ id }) => id));
  const transfers = (await rowsOf(disk, 'transfers'))
    .filter(({ pool }) => pools.has(pool))
    .map(({ pool, type, from, to, amount, tokenIndex, protocolId, message }) => ({
      pool,
      type,
      amount,
      protocolId,
      from: from ?? undefined,
      to: to ?? undefined,
      tokenIndex: tokenIndex ?? undefined,
      message: message ?? undefined,
    }));
  const balances = (await rowsOf(disk, 'balances'))
    .filter(({ pool }) => pools.has(pool))
    .map(({ pool, tokenIndex, key, balance }) => ({ pool, tokenIndex, key, balance }));
  return { name, connections: [], messages: [], pending: undefined, tokens: { transfers, balances } };
}

async function poolsOf(disk: Disk, isPublished: boolean): Promise<readonly Tables['pools'][]> {
  return (await rowsOf(disk, 'pools')).filter(({ published }) => published === isPublished);
}

/** Returns the contract's own balances of every key and token, in the pools of a holder. */
async function askContract(
  first: Holder | undefined,
  { ledger, parties, published }: BalanceChecks,
): Promise<BalanceFacts[]> {
  if (first === undefined) return [];
  const chain = ledger.connect({ keys: [] });
  const balances = await rowsOf(first.disk, 'balances');
  const answers: BalanceFacts[] = [];
  for (const { id: pool, type, chainKey } of await poolsOf(first.disk, published)) {
    const startId = BigInt(chainKey?.split('/')[1] ?? 0);
    const held = new Set(balances.flatMap((row) => (row.pool === pool ? [row.tokenIndex] : [])));
    for (const tokenIndex of type === 'fungible' ? [''] : held) {
      for (const { key } of parties) {
        const values = [key, startId | BigInt(tokenIndex === '' ? 0 : tokenIndex)];
        const data = contract.encodeFunctionData('balanceOf', values);
        const answer = await chain.query({ to: tokenPoolsAddress, data });
        if (answer.status !== 'success') throw new Error(answer.reason);
        answers.push({ pool, tokenIndex, key, balance: String(BigInt(answer.data)) });
      }
    }
  }
  return answers;
}

/** Every accepted operation has ended, with the transfer that has its `localId` or with the contract's refusal. */
async function checkOperations({ name, disk }: Holder, { traders, sometimes }: TokenChecks): Promise<void> {
  const results = new Set(
    [...(await rowsOf(disk, 'transfers')), ...(await rowsOf(disk, 'approvals'))].map(({ localId }) => localId),
  );
  const types = ['token_transfer', 'token_approval'];
  const operations = (await rowsOf(disk, 'operations')).filter(({ type }) => types.includes(type));
  const byLocalId = new Map(operations.map((row) => [row.input['localId'], row]));
  const ours = traders.flatMap(({ trades }) => trades()).filter(({ party }) => party === name);
  for (const { localId, namespace } of ours) {
    if (byLocalId.get(localId)?.namespace !== namespace) {
      throw new InvariantViolation('I1', `the operation for ${localId} that ${name} has accepted is gone`);
    }
  }
  const pools = new Map((await rowsOf(disk, 'pools')).map(({ id, locator }) => [id, locator]));
  for (const { input, status, error, retry } of operations) {
    // Its retry has the result, and the results of a pool that is gone are gone with it.
    const place = pools.get(String(input['pool']));
    const isPoolGone = place === undefined && (isEnded(status) || endless.test(error ?? ''));
    if (retry !== null || isPoolGone) continue;
    const localId = String(input['localId']);
    const hasResult = results.has(localId);
    const isMisdirected = place !== input['locator'] && misdirected.test(error ?? '');
    const isRefused = refusals.test(error ?? '') || isMisdirected;
    if (status === 'Failed' && !hasResult && isRefused) {
      sometimes('operation of tokens refused by the contract');
    } else if (status !== 'Succeeded' || !hasResult) {
      const what = hasResult ? 'a result' : 'no result';
      throw new InvariantViolation('I12', `${localId} at ${name} is ${status} with ${what}: ${error ?? ''}`);
    }
  }
}

function isEnded(status: string): boolean {
  return status === 'Succeeded' || status === 'Failed';
}

/**
 * A message of an operation is decided after its event or cancelled with it; none waits at the end. If blocks are
 * replaced, an operation may end otherwise than before, after its message was sent or cancelled.
 */
async function checkMessages({ name, disk }: Holder, isReplaced: boolean): Promise<void> {
  const results = [...(await rowsOf(disk, 'transfers')), ...(await rowsOf(disk, 'approvals'))];
  const ofOperations = new Set(results.map((row) => `${row.message}/${row.messageHash}`));
  const operations = await rowsOf(disk, 'operations');
  for (const { id, hash, parentId, state, batch } of await rowsOf(disk, 'messages')) {
    // A message with a batch was cancelled with that, and its operation has succeeded.
    if (parentId === null || (state === 'cancelled' && batch !== null)) continue;
    if (state === 'staged') throw new InvariantViolation('I12', `message ${id} is staged for ever at ${name}`);
    const own = operations.filter(({ tx, retry }) => tx === parentId && retry === null);
    const hasFailed = own.some(({ status }) => status === 'Failed');
    if (!isReplaced && (state === 'cancelled') !== hasFailed) {
      throw new InvariantViolation('I12', `message ${id} is ${state} at ${name}, whose operation has ended otherwise`);
    }
    if (state === 'confirmed' && !ofOperations.has(`${id}/${hash}`)) {
      throw new InvariantViolation('I11', `message ${id} is confirmed at ${name} without its operation`);
    }
  }
}
