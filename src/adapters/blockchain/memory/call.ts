import { createHash } from 'node:crypto';
import { type ChainCall, ChainError, type SignedCall } from '../../../ports/blockchain.js';

/** The signed content of a transaction; here the sender is stated instead of proved by a signature. */
export interface MemoryTransaction {
  readonly chainId: number;
  readonly contract: string;
  readonly from: string;
  readonly nonce: number;
  readonly call: ChainCall;
}

/** Encodes a transaction as hexadecimal JSON, with its fields in a fixed order. */
export function encodeTransaction({ chainId, contract, from, nonce, call }: MemoryTransaction): SignedCall {
  const text = JSON.stringify({ chainId, contract, from, nonce, call: inOrder(call) });
  const raw = `0x${Buffer.from(text).toString('hex')}`;
  return { raw, transactionHash: transactionHashOf(raw) };
}

function inOrder(call: ChainCall): ChainCall {
  const { type } = call;
  if (type === 'add_key') {
    return { type, name: call.name, key: call.key, ...(call.isOrganization === true && { isOrganization: true }) };
  }
  if (type === 'set_node') return { type, endpoint: call.endpoint, publicKeyHash: call.publicKeyHash };
  if (type === 'contract') return { type, to: call.to, data: call.data, gas: call.gas, value: call.value };
  const { transactionId, batchId, batchHash, payloadRef, contexts } = call;
  return { type, transactionId, batchId, batchHash, payloadRef, contexts };
}

/** Decodes a transaction of `encodeTransaction`. Throws ChainError `refused` for anything else. */
export function decodeTransaction(raw: string): MemoryTransaction {
  try {
    // Only `encodeTransaction` writes these bytes, so the type is its input's.
    const transaction = JSON.parse(Buffer.from(raw.slice(2), 'hex').toString()) as MemoryTransaction;
    if (encodeTransaction(transaction).raw === raw) return transaction;
  } catch (cause) {
    throw new ChainError('refused', 'These bytes are not a signed call.', { cause });
  }
  throw new ChainError('refused', 'These bytes are not a signed call.');
}

export function transactionHashOf(raw: string): string {
  return createHash('sha256').update(raw).digest('hex');
}
