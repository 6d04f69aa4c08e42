import { ChainError, type Receipt } from '../../ports/blockchain.js';
import type { Clock } from '../../ports/clock.js';
import { type Revert, toRevert } from './connection/ask.js';
import { fundsPattern, hopelessPattern } from './connection/refusals.js';
import { RpcError } from './connection/rpc-error.js';
import { readObject, readQuantity } from './logs/header.js';
import type { Link, Linker } from './connection/link.js';
import { hexOf } from './logs/placed.js';
import type { Proofs } from './logs/proofs.js';
import { readBlock, readHead } from './logs/range.js';
import { isDeployment, readTransaction, transactionHashOf } from './transaction.js';

const firstDelayMs = 20;
const maxDelayMs = 1_000;
/** Time to wait for a sent call before its fate counts as unknown; longer on a chain with slow blocks. */
const maxReceiptMs = 60_000;
const maxSlowReceiptMs = 1_800_000;
/** A call that pays enough is mined within this many blocks. */
const maxReceiptBlocks = 10;
/** Number of recent blocks whose times show how slow a chain is. */
const measuredBlocks = 20;
/** A call that is not mined is sent again after the first delay, then after twice the previous one. */
const [firstResendMs, maxResendMs] = [5_000, 60_000];
/** A server may report a used nonce before it can find the transaction, and another server much earlier. */
const [maxLookupMs, maxExternalLookupMs] = [1_000, 15_000];

export interface SubmitOptions {
  readonly linker: Linker;
  readonly proofs: Proofs;
  /** Number of blocks that must follow that of a receipt. */
  readonly confirmations: number;
  /** Whether the chain may have several servers, some of them behind others. */
  readonly mayLag: boolean;
  readonly clock: Clock;
}

/** Creates `submit` of the port: sends signed bytes, whatever was sent before, and resolves with the outcome. */
export function createSubmit({
  linker,
  proofs,
  confirmations,
  mayLag,
  clock,
}: SubmitOptions): (raw: string) => Promise<Receipt> {
  return async (raw) => {
    const transactionHash = transactionHashOf(raw);
    const link = await linker.link();
    const objection = await send(link, raw);
    if (objection === undefined && confirmations === 0 && !isDeployment(raw)) {
      const place = await proofs.wait(transactionHash);
      if (place !== undefined) {
        const { block, transactionIndex } = place;
        return { status: 'success', transactionHash, block, transactionIndex };
      }
    }
    // A mined transaction is done, whatever the chain replied to sending it again (docs/architecture.md §9.2).
    let receipt = await readReceipt(link, transactionHash);
    if (receipt === null && objection !== undefined) {
      const timeoutMs = mayLag ? maxExternalLookupMs : maxLookupMs;
      receipt = await judge({ link, linker, clock, timeoutMs, raw, transactionHash, objection });
    }
    const slowMs = (): Promise<number> => slowWaitMs(link, confirmations);
    const wait = { link, linker, clock, transactionHash, timeoutMs: maxReceiptMs, slowMs };
    receipt ??= await waitForReceipt({ ...wait, raw });
    if (receipt === null) throw new ChainError('unreachable', 'The chain has the call and has not mined it yet.');
    if (confirmations > 0) receipt = await waitForDepth({ ...wait, receipt, confirmations });
    return toReceipt(link, raw, transactionHash, readObject(receipt));
  };
}

/** Sends the bytes; resolves with the chain's error, if any. */
async function send({ connection }: Link, raw: string): Promise<RpcError | undefined> {
  try {
    await connection.request('eth_sendRawTransaction', [raw]);
    return undefined;
  } catch (error) {
    if (error instanceof RpcError) return error;
    throw error;
  }
}

function readReceipt({ connection }: Link, transactionHash: string): Promise<unknown> {
  return connection.request('eth_getTransactionReceipt', [`0x${transactionHash}`]);
}

interface Wait {
  /** Sent again from time to time, since a chain may forget transactions that are not mined. */
  readonly raw?: string;
  readonly link: Link;
  readonly linker: Linker;
  readonly clock: Clock;
  readonly transactionHash: string;
  readonly timeoutMs: number;
  /** The limit on a slow chain; requested when the usual limit has passed. */
  readonly slowMs?: () => Promise<number>;
}

/** Creates a function that tells whether a wait that begins now is over. */
function limitOf({ clock, timeoutMs, slowMs }: Wait): () => Promise<boolean> {
  const begunMs = clock.monotonicMs();
  let limitMs = timeoutMs;
  let isMeasured = slowMs === undefined;
  return async () => {
    if (clock.monotonicMs() - begunMs < limitMs) return false;
    if (!isMeasured) limitMs = Math.max(timeoutMs, (await slowMs?.()) ?? 0);
    isMeasured = true;
    return clock.monotonicMs() - begunMs >= limitMs;
  };
}

/** The time that a call may take on a chain as slow as its last blocks. */
async function slowWaitMs({ connection }: Link, confirmations: number): Promise<number> {
  const head = await readHead(connection);
  const first = Math.max(0, head - measuredBlocks);
  const [before, after] = await Promise.all([readBlock(connection, first), readBlock(connection, head)]);
  const blockMs = head === first ? 0 : (Date.parse(after.time) - Date.parse(before.time)) / (head - first);
  return Math.min(maxSlowReceiptMs, blockMs * (maxReceiptBlocks + confirmations));
}

async function waitForReceipt(wait: Wait): Promise<unknown> {
  const { raw, link, linker, clock, transactionHash } = wait;
  const isOver = limitOf(wait);
  let receipt: unknown = null;
  let sentMs = clock.monotonicMs();
  let resendMs = firstResendMs;
  for (let delayMs = firstDelayMs; receipt === null && !(await isOver()); delayMs *= 2) {
    await clock.sleep(Math.min(delayMs, maxDelayMs), linker.closed);
    receipt = await readReceipt(link, transactionHash);
    if (receipt !== null || raw === undefined || clock.monotonicMs() - sentMs < resendMs) continue;
    // An error for known bytes is expected; any other error recurs at the next attempt.
    await send(link, raw);
    sentMs = clock.monotonicMs();
    resendMs = Math.min(resendMs * 2, maxResendMs);
  }
  return receipt;
}

interface DepthWait extends Wait {
  readonly receipt: unknown;
  readonly confirmations: number;
}

/** Resolves with the receipt once enough blocks follow its own; a reorganisation may change it meanwhile. */
async function waitForDepth({ receipt, confirmations, ...wait }: DepthWait): Promise<unknown> {
  const { link, linker, clock, transactionHash } = wait;
  const isOver = limitOf(wait);
  let found = receipt;
  while (found !== null) {
    const { blockNumber } = readObject(found);
    if ((await readHead(link.connection)) - confirmations >= readQuantity(blockNumber)) return found;
    if (await isOver()) break;
    await clock.sleep(maxDelayMs, linker.closed);
    found = await readReceipt(link, transactionHash);
  }
  throw new ChainError('unreachable', 'The chain has mined the call, and too few blocks have followed yet.');
}

/** How servers report that they already have these bytes. */
const knownWords = /already known|known transaction|already imported|already exists/i;
/** How servers report a used nonce, by these bytes or others. */
const usedWords = /nonce too low|nonce has already been used|invalid nonce/i;

interface Objection extends Omit<Wait, 'raw'> {
  readonly raw: string;
  readonly objection: RpcError;
}

/**
 * Interprets an error of a call that is not mined. Null: the chain has the call; wait. Otherwise the receipt, which was
 * delayed. Throws ChainError `refused` or `unreachable`.
 */
async function judge({ raw, objection, ...wait }: Objection): Promise<unknown> {
  const { message } = objection;
  if (knownWords.test(message)) return null;
  const { from, nonce } = readTransaction(raw);
  if (usedWords.test(message) || (await countOf(wait.link, from)) > nonce) {
    const receipt = await waitForReceipt(wait);
    if (receipt !== null) return receipt;
    if ((await countOf(wait.link, from)) > nonce) {
      throw new ChainError('refused', `Nonce ${nonce} of ${from} was used by another transaction.`, {
        cause: objection,
      });
    }
  }
  if (fundsPattern.test(message)) {
    const what = `The key ${from} has too little to pay for its calls; send it some`;
    throw new ChainError('unfunded', `${what}. The chain says: ${message}`, { cause: objection });
  }
  const reason = hopelessPattern.test(message) ? 'refused' : 'unreachable';
  throw new ChainError(reason, `The chain did not take the call: ${message}`, { cause: objection });
}

/** The number of mined transactions of a key, with this many blocks after them. */
export async function countOf({ connection }: Link, key: string, confirmations = 0): Promise<number> {
  const head = confirmations === 0 ? undefined : await readHead(connection);
  const block = head === undefined ? 'latest' : hexOf(Math.max(0, head - confirmations));
  return readQuantity(await connection.request('eth_getTransactionCount', [key, block]));
}

async function toReceipt(
  link: Link,
  raw: string,
  transactionHash: string,
  { status, blockNumber, transactionIndex, contractAddress }: Readonly<Record<string, unknown>>,
): Promise<Receipt> {
  const block = readQuantity(blockNumber);
  if (readQuantity(status) !== 1) return { transactionHash, block, ...(await readRevert(link, raw, block)) };
  const contract = typeof contractAddress === 'string' ? { contract: contractAddress.toLowerCase() } : {};
  const index = typeof transactionIndex === 'string' ? { transactionIndex: readQuantity(transactionIndex) } : {};
  return { status: 'success', transactionHash, block, ...index, ...contract };
}

/**
 * Finds the reason of a revert, which receipts lack, by repeating the call on the state before its block and, if others
 * in that block may be the reason, after it.
 */
async function readRevert({ connection }: Link, raw: string, block: number): Promise<Revert> {
  const { from, to, data, gas, value } = readTransaction(raw);
  let refusal: string | undefined;
  for (const at of [block - 1, block]) {
    try {
      await connection.request('eth_call', [{ from, ...(to !== null && { to }), data, gas, value }, hexOf(at)]);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      const revert = toRevert(error);
      if (revert !== undefined) return revert;
      refusal = error.message;
    }
  }
  const reason =
    refusal === undefined
      ? 'The contract refused the call in its block, and would take it now.'
      : `The contract refused the call, and the chain does not tell why: ${refusal}`;
  return { status: 'reverted', reason, data: '0x' };
}
