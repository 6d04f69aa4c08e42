import type { Interface } from 'ethers';
import type { AcceptedOperation, TransferKind } from '../../src/pipeline/accept/tokens/transfer.js';
import type { Pipeline } from '../../src/pipeline/pipeline.js';
import type { Clock } from '../../src/ports/clock.js';
import type { Database } from '../../src/ports/database.js';
import { textOf } from '../../src/wire/json/json.js';
import type { TokenPool, TokenTransfer, TransferRequest } from '../../src/wire/token.js';
import type { Party, Pipelines } from './pipelines.js';
import { recipientNames, rowsOf, type Sent } from './pipelines-check.js';

export type Operate = (kind: TransferKind, request: TransferRequest) => Promise<AcceptedOperation<TokenTransfer>>;

interface OperateParts {
  readonly name: string;
  readonly clock: Clock;
  readonly database: Database;
  readonly pipeline: Pipeline;
  readonly onSent: (sent: Sent) => void;
}

/** Runs a token operation at a party and records its message for the check. */
export async function operateAt(
  { name: party, clock, database, pipeline, onSent }: OperateParts,
  ...[kind, request]: Parameters<Operate>
): ReturnType<Operate> {
  const sentMs = clock.monotonicMs();
  const accepted = await pipeline.acceptTransfer('default', kind, request);
  const { message } = accepted;
  if (message === undefined) return accepted;
  const ofGroup = message.header.group === undefined ? {} : { members: await recipientNames(database, message) };
  onSent({ party, sentMs, acceptedMs: clock.monotonicMs(), message, request: request.message ?? {}, ...ofGroup });
  return accepted;
}

/** Creates a pool; resolves once all parties have decided its definition. */
export async function makePool(
  network: Pipelines,
  party: Party,
  { name = 'coins', type = 'fungible', publish = true }: { name?: string; type?: string; publish?: boolean } = {},
): Promise<TokenPool> {
  const { record } = await party.pipeline().acceptPool('default', { name, type }, publish);
  await network.settle();
  return record;
}

/** A request for an amount. */
export function amountOf(amount: number | bigint, more: Omit<TransferRequest, 'amount'> = {}): TransferRequest {
  return { amount: textOf(String(amount)), ...more };
}

/** The message of an operation: a broadcast, or private to these organisations. */
export function attached(value: unknown, members?: readonly string[]): Pick<TransferRequest, 'message'> {
  const data = [{ value: textOf(value) }];
  const header = { topics: ['tokens'] };
  if (members === undefined) return { message: { header, data } };
  return { message: { header, data, group: { members: members.map((identity) => ({ identity })) } } };
}

/** Returns the balances of a pool at a party: `key/index` → balance. */
export async function balancesAt(party: Party, pool: string): Promise<Readonly<Record<string, string>>> {
  const rows = (await rowsOf(party.database(), 'balances')).filter((row) => row.pool === pool);
  const each = rows.map(({ key, tokenIndex, balance }) => [`${key}/${tokenIndex}`, balance] as const);
  return Object.fromEntries([...each].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns a key's balance from the ledger. */
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
