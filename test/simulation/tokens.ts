import { tokenPoolsAddress } from '../../src/adapters/blockchain/memory/chain.js';
import type { MemoryLedger } from '../../src/adapters/blockchain/memory/memory.js';
import { Interface } from 'ethers';
import { check } from '../../src/bench/check.js';
import type { BalanceFacts, PartyRecord } from '../../src/bench/check/recording.js';
import { tokenPoolsAbi } from '../../src/domain/tokens/contracts.js';
import type { Disk } from './storage.js';
import type { TableName, Tables } from '../../src/ports/tables/tables.js';
import { every } from '../../src/ports/tables/where.js';
import type { Simulator } from './life.js';
import { InvariantViolation } from './shadow.js';
import type { Trade } from './traders.js';

const everything = 100_000;
const contract = new Interface(tokenPoolsAbi);

interface Holder {
  readonly name: string;
  readonly key: string;
  readonly disk: Disk;
}

/** Refusals that may end an operation without a transfer. In other blocks a pool may have another number. */
const refusals = /ERC1155|NotCreator|PoolUnknown|PoolIs/;

export interface TokenChecks extends Pick<Simulator, 'sometimes'> {
  /** Whether the chain replaces blocks. */
  readonly isReplaced: boolean;
}

/** Checks I11, and that operations and their messages agree (docs/architecture.md §9.2), at rest. */
export async function checkTokens(
  parties: readonly Holder[],
  ledger: MemoryLedger,
  trades: readonly Trade[],
  { sometimes, isReplaced }: TokenChecks,
): Promise<void> {
  const records: PartyRecord[] = [];
  for (const party of parties) {
    records.push(await recordOf(party));
    await checkOperations(party, trades, sometimes);
    await checkMessages(party, isReplaced);
  }
  const contractBalances = await askContract(parties, ledger);
  const recording = { sends: [], parties: records, pins: [], payloads: new Map(), blocks: [], contractBalances };
  const finding = check(recording).find(({ invariant }) => invariant === 'I11');
  if (finding?.status === 'VIOLATED') throw new InvariantViolation('I11', finding.proof ?? '');
}

const oldestFirst = [{ field: 'sequence', descending: false }];

function rowsOf<T extends TableName>(disk: Disk, table: T): Promise<readonly Tables[T][]> {
  return disk.find(table, { namespace: every, where: [], sort: oldestFirst, limit: everything });
}

async function recordOf({ name, disk }: Holder): Promise<PartyRecord> {
  const transfers = (await rowsOf(disk, 'transfers')).map(
    ({ pool, type, from, to, amount, tokenIndex, protocolId, message }) => ({
      pool,
      type,
      amount,
      protocolId,
      from: from ?? undefined,
      to: to ?? undefined,
      tokenIndex: tokenIndex ?? undefined,
      message: message ?? undefined,
    }),
  );
  const balances = (await rowsOf(disk, 'balances')).map(({ pool, tokenIndex, key, balance }) => {
    return { pool, tokenIndex, key, balance };
  });
  return { name, connections: [], messages: [], pending: undefined, tokens: { transfers, balances } };
}

/** Returns the contract's own balances of every key and token. */
async function askContract(parties: readonly Holder[], ledger: MemoryLedger): Promise<BalanceFacts[]> {
  const [first] = parties;
  if (first === undefined) return [];
  const chain = ledger.connect({ keys: [] });
  const balances = await rowsOf(first.disk, 'balances');
  const answers: BalanceFacts[] = [];
  for (const { id: pool, type, chainKey } of await rowsOf(first.disk, 'pools')) {
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
async function checkOperations(
  { name, disk }: Holder,
  trades: readonly Trade[],
  sometimes: Simulator['sometimes'],
): Promise<void> {
  const transfers = new Map((await rowsOf(disk, 'transfers')).map((row) => [row.localId, row]));
  const operations = (await rowsOf(disk, 'operations')).filter(({ type }) => type === 'token_transfer');
  const byLocalId = new Map(operations.map((row) => [row.input['localId'], row]));
  const ours = trades.filter(({ party }) => party === name);
  for (const { localId } of ours) {
    if (byLocalId.get(localId) === undefined) {
      throw new InvariantViolation('I1', `the operation for ${localId} that ${name} has accepted is gone`);
    }
  }
  for (const { input, status, error } of operations) {
    const localId = String(input['localId']);
    const transfer = transfers.get(localId);
    if (status === 'Failed' && transfer === undefined && refusals.test(error ?? '')) {
      sometimes('operation of tokens refused by the contract');
    } else if (status !== 'Succeeded' || transfer === undefined) {
      const what = transfer === undefined ? 'no transfer' : 'a transfer';
      throw new InvariantViolation('I12', `${localId} at ${name} is ${status} with ${what}: ${error ?? ''}`);
    }
  }
}

/**
 * A message of an operation is decided after its transfer or cancelled with it; none waits at the end. If blocks are
 * replaced, an operation may end otherwise than before, after its message was sent or cancelled.
 */
async function checkMessages({ name, disk }: Holder, isReplaced: boolean): Promise<void> {
  const transfers = new Set((await rowsOf(disk, 'transfers')).map((row) => `${row.message}/${row.messageHash}`));
  const operations = await rowsOf(disk, 'operations');
  for (const { id, hash, parentId, state } of await rowsOf(disk, 'messages')) {
    if (parentId === null) continue;
    if (state === 'staged') throw new InvariantViolation('I12', `message ${id} is staged for ever at ${name}`);
    const hasFailed = operations.some(({ tx, status }) => tx === parentId && status === 'Failed');
    if (!isReplaced && (state === 'cancelled') !== hasFailed) {
      throw new InvariantViolation('I12', `message ${id} is ${state} at ${name}, whose operation has ended otherwise`);
    }
    if (state === 'confirmed' && !transfers.has(`${id}/${hash}`)) {
      throw new InvariantViolation('I11', `message ${id} is confirmed at ${name} without its transfer`);
    }
  }
}
