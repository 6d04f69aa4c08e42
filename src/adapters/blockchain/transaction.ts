import assert from 'node:assert/strict';
import { Transaction, decodeRlp, toBeArray } from 'ethers';
import { type ChainCall, ChainError, type ContractCall, type SignedCall } from '../../ports/blockchain.js';
import { encodeCall } from './abi.js';
import type { Fees } from './fees.js';
import { encodeRlp, type RlpValue } from './rlp.js';
import { addressOf, keccak256 } from '../../domain/chain/keys.js';
import { signHash } from '../../domain/chain/signature.js';

/** Calldata, memory and log cost below 1,300 gas per context, and below 60,000 for everything else in a pin. */
const basePinGas = 120_000;
const gasPerContext = 2_000;
/** Five new words of storage, and a text of 256 bytes in eight more. */
const memberGas = 400_000;

export interface CallSigner {
  /** Addresses in lower case, in the order of the private keys. */
  readonly keys: readonly string[];

  /** Adds a private key. Throws Error if it is invalid. */
  add(privateKey: string): string;

  /** The most that a call can cost, in wei. */
  maxCostOf(call: ChainCall, fees: Fees): bigint;

  /** Signs with one of `keys`, asserted. RFC 6979: the same arguments give the same bytes. */
  sign(key: string, nonce: number, call: ChainCall, terms: Terms): SignedCall;
}

/** The chain that a call is for, and the most that is paid for it. */
interface Terms {
  readonly chainId: number;
  readonly fees: Fees;
}

export interface CallSignerOptions {
  readonly privateKeys: readonly string[];
  /** Address of `Network.sol`, in lower case. */
  readonly contract: string;
}

/** Creates the signer, which makes no requests. Throws Error for an invalid private key. */
export function createCallSigner({ privateKeys, contract }: CallSignerOptions): CallSigner {
  const privateKeyOf = new Map<string, string>();
  const keys: string[] = [];

  function add(privateKey: string): string {
    const key = addressOf(privateKey);
    if (!privateKeyOf.has(key)) keys.push(key);
    privateKeyOf.set(key, privateKey);
    return key;
  }

  for (const privateKey of privateKeys) add(privateKey);
  return {
    keys,
    add,
    maxCostOf(call, { maxFeePerGas }) {
      const { gasLimit, value } = contentOf(call, contract);
      return BigInt(gasLimit) * maxFeePerGas + value;
    },
    sign(key, nonce, call, terms) {
      const privateKey = privateKeyOf.get(key);
      assert(privateKey !== undefined, 'a call is signed with a key of this node');
      const fields = fieldsOf(contentOf(call, contract), { nonce, ...terms });
      const { recovery, r, s } = signHash(`0x${hashOf(typed(fields))}`, privateKey);
      const raw = typed([...fields, toBeArray(recovery), toBeArray(r), toBeArray(s)]);
      return { raw: `0x${raw.toString('hex')}`, transactionHash: hashOf(raw) };
    },
  };
}

interface Content {
  readonly to: string | null;
  readonly data: string;
  readonly gasLimit: number;
  readonly value: bigint;
}

/**
 * The signed fields of a transaction (EIP-1559), in order, with an empty access list. The `Transaction` of ethers
 * validates and converts each of them several times.
 */
function fieldsOf(
  { to, data, gasLimit, value }: Content,
  { nonce, chainId, fees }: Terms & { readonly nonce: number },
): RlpValue[] {
  const numbers = [chainId, nonce, fees.maxPriorityFeePerGas, fees.maxFeePerGas, gasLimit];
  return [...numbers.map((number) => toBeArray(number)), bytesIn(to ?? '0x'), toBeArray(value), bytesIn(data), []];
}

const dynamicFeeType = '0x02';
/** Index of `to` among the fields. */
const indexOfRecipient = 5;

function typed(fields: readonly RlpValue[]): Buffer {
  return Buffer.concat([bytesIn(dynamicFeeType), encodeRlp(fields)]);
}

/** The bytes of hexadecimal digits after 0x. */
function bytesIn(text: string): Buffer {
  const bytes = Buffer.from(text.slice(2), 'hex');
  // `Buffer.from` ignores everything after an invalid digit.
  assert(bytes.length * 2 === text.length - 2, 'a call consists of bytes');
  return bytes;
}

/** The hash of bytes, without 0x. */
function hashOf(bytes: Uint8Array): string {
  return Buffer.from(keccak256(bytes)).toString('hex');
}

function contentOf(call: ChainCall, contract: string): Content {
  if (call.type === 'contract') {
    assert(call.to?.toLowerCase() !== contract, 'no call of a user is for the network contract');
    return { to: call.to, data: call.data, gasLimit: call.gas, value: BigInt(call.value) };
  }
  return { to: contract, data: encodeCall(call), gasLimit: gasOf(call), value: 0n };
}

function gasOf(call: Exclude<ChainCall, ContractCall>): number {
  return call.type === 'pin_batch' ? basePinGas + gasPerContext * call.contexts.length : memberGas;
}

export function transactionHashOf(raw: string): string {
  return hashOf(bytesIn(raw));
}

/** Whether a signed call creates a contract, so that it has no recipient. */
export function isDeployment(raw: string): boolean {
  const fields = decodeRlp(`0x${raw.slice(dynamicFeeType.length)}`);
  return fields[indexOfRecipient] === '0x';
}

/**
 * Reads the call of a transaction, to repeat it for the reason of a revert. Throws ChainError `refused` for invalid
 * bytes.
 */
export function readTransaction(raw: string): {
  from: string;
  to: string | null;
  data: string;
  nonce: number;
  gas: string;
  value: string;
} {
  try {
    const { from, to, data, nonce, gasLimit, value } = Transaction.from(raw);
    if (from !== null) {
      return { from: from.toLowerCase(), to, data, nonce, gas: quantityOf(gasLimit), value: quantityOf(value) };
    }
  } catch (cause) {
    throw new ChainError('refused', 'These bytes are not a signed transaction.', { cause });
  }
  throw new ChainError('refused', 'This transaction is not signed.');
}

function quantityOf(value: bigint): string {
  return `0x${value.toString(16)}`;
}
