import type { Interface } from 'ethers';
import type { AcceptedOperation, TransferKind } from '../../src/pipeline/accept/token-transfer.js';
import type { Pipeline } from '../../src/pipeline/pipeline.js';
import type { Clock } from '../../src/ports/clock.js';
import type { Database } from '../../src/ports/database.js';
import { textOf } from '../../src/wire/json.js';
import type { TokenPool, TokenTransfer, TransferRequest } from '../../src/wire/token.js';
import type { Party, Pipelines } from './pipelines.js';
import { membersOf, rowsOf, type Sent } from './pipelines-check.js';

/** Mints, transfers or burns in the namespace `default`. */
export type Operate = (kind: TransferKind, request: TransferRequest) => Promise<AcceptedOperation<TokenTransfer>>;

interface OperateParts {
  readonly name: string;
  readonly clock: Clock;
  readonly database: Database;
  readonly pipeline: Pipeline;
  readonly onSent: (sent: Sent) => void;
}

/** The same at a party, which keeps the message that goes with it for the check. */
export async function operateAt(
  { name: party, clock, database, pipeline, onSent }: OperateParts,
  ...[kind, request]: Parameters<Operate>
): ReturnType<Operate> {
  const sentMs = clock.monotonicMs();
  const accepted = await pipeline.acceptTransfer('default', kind, request);
  const { message } = accepted;
  if (message === undefined) return accepted;
  const ofGroup = message.header.group === undefined ? {} : { members: await membersOf(database, message) };
  onSent({ party, sentMs, acceptedMs: clock.monotonicMs(), message, request: request.message ?? {}, ...ofGroup });
  return accepted;
}

/** A pool of a party, once all parties have decided about it. */
export async function makePool(
  network: Pipelines,
  party: Party,
  { name = 'coins', type = 'fungible', publish = true }: { name?: string; type?: string; publish?: boolean } = {},
): Promise<TokenPool> {
  const { record } = await party.pipeline().acceptPool('default', { name, type }, publish);
  await network.settle();
  return record;
}

/** A request for an amount, with a broadcast message about a value if there is one. */
export function amountOf(amount: number | bigint, more: Omit<TransferRequest, 'amount'> = {}): TransferRequest {
  return { amount: textOf(String(amount)), ...more };
}

/** A message that goes with an operation: to all, or to a group of these organisations. */
export function attached(value: unknown, members?: readonly string[]): Pick<TransferRequest, 'message'> {
  const data = [{ value: textOf(value) }];
  const header = { topics: ['tokens'] };
  if (members === undefined) return { message: { header, data } };
  return { message: { header, data, group: { members: members.map((identity) => ({ identity })) } } };
}

/** What a party says of each key and token of a pool: `key/index` → balance. */
export async function balancesAt(party: Party, pool: string): Promise<Readonly<Record<string, string>>> {
  const rows = (await rowsOf(party.database(), 'balances')).filter((row) => row.pool === pool);
  const each = rows.map(({ key, tokenIndex, balance }) => [`${key}/${tokenIndex}`, balance] as const);
  return Object.fromEntries([...each].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What the ledger itself says that a key holds. */
export async function balanceOnChain(
  { ledger }: Pipelines,
  contract: Interface,
  [address, account, id]: readonly [address: string, account: string, id: bigint],
): Promise<string> {
  const data = contract.encodeFunctionData('balanceOf', [account, id]);
  const answer = await ledger.connect({ keys: [] }).query({ to: address, data });
  if (answer.status !== 'success') throw new Error(answer.reason);
  return String(BigInt(answer.data));
}
