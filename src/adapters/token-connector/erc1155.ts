import assert from 'node:assert/strict';
import { id as hashOf } from 'ethers';
import { maxTokenUriBytes, maxTokensPerMint, tokenPoolsAbi } from '../../domain/tokens/contracts.js';
import type { ContractLog } from '../../ports/blockchain.js';
import type {
  ApprovalRequest,
  TokenCall,
  FoundPool,
  LocatedPool,
  TokenConnector,
  TransferRequest,
} from '../../ports/token-connector.js';
import { ServiceError } from '../../wire/errors/error.js';
import { textOf } from '../../wire/json/json.js';
import { readAddress, readConfig, requireAbsent } from './config.js';
import { approvalTopics, eventTopics, readEvents } from './erc1155/events.js';
import { hexOf, isValidPool, maxIndex, type PoolIds, readLocator, typeOfId, writeLocator } from './erc1155/ids.js';
import { lazyInterface } from './lazy-interface.js';
import { addressOf, bytesOf, decodeWords } from './words.js';

export interface Erc1155Options {
  /** Address of this network's `TokenPools.sol`, in lower case. */
  readonly address: string;
  /** The first block of this network: approvals before it are not searched. */
  readonly firstBlock: number;
}

const contract = lazyInterface(tokenPoolsAbi);
const creationTopic = hashOf('PoolCreated(address,uint256,uint256,bool,bytes)');

/** For any call with its events, and a recipient contract that does no more than accept. */
const baseGas = 300_000;
/** Per byte of the call, sent and repeated in an event. */
const gasPerByte = 40;
/** For a new balance. */
const gasPerToken = 27_000;
/** For a word of storage. */
const gasPerWord = 23_000;

/** Creates the connector for pools within one ERC-1155 contract (docs/protocol.md §13.3). */
export function createErc1155({ address, firstBlock }: Erc1155Options): TokenConnector {
  const encode = (name: string, values: readonly unknown[], more = 0, to = address): TokenCall => {
    const data = contract().encodeFunctionData(name, values);
    return { to, data, gas: baseGas + more + gasPerByte * (data.length / 2 - 1), value: '0', carriesData: true };
  };

  return {
    name: 'erc1155',
    creations: { address, topics: [creationTopic] },

    createPool(request, data) {
      // Any contract of this interface; its own log tells whether it has created the pool.
      const to = readAddress(readConfig(request.config, 'pool'), 'address') ?? address;
      return { kind: 'call', call: encode('create', [request.type === 'fungible', bytesOf(data)], 0, to) };
    },

    chooseMethods({ config }) {
      if (readConfig(config, 'pool')['methods'] === undefined) return undefined;
      const expected = 'absent: the methods of this connector’s contract are known';
      throw new ServiceError('field_type', { field: 'config.methods', expected, actual: 'given' });
    },

    readCreation,

    inspect: () => Promise.reject(new Error('Every pool of this connector is created by a call.')),

    locate: (locator) => locate(locator, firstBlock),

    transfer(request) {
      readConfig(request.config, 'transfer');
      const pool = poolOf(request.locator);
      const [name, values, more] = pool.type === 'fungible' ? fungibleCall(pool, request) : tokenCall(pool, request);
      return encode(name, [...values], more, pool.address);
    },

    approve({ locator, operator, approved, config, data }: ApprovalRequest) {
      const narrower = readConfig(config, 'approval');
      requireAbsent(narrower, 'tokenIndex', 'an ERC-1155 contract approves for all tokens');
      requireAbsent(narrower, 'allowance', 'an ERC-1155 contract approves without limit');
      return encode('setApprovalForAllWithData', [operator, approved, bytesOf(data)], 0, poolOf(locator).address);
    },

    events: readEvents,
    // The contract emits the data that it receives.
    dataOf: () => undefined,
  };
}

function poolOf(locator: string): PoolIds {
  const pool = readLocator(locator);
  assert(pool !== undefined, 'a pool of this connector has a locator of its own');
  return pool;
}

function locate(locator: string, firstBlock: number): LocatedPool | undefined {
  const pool = readLocator(locator);
  if (pool === undefined) return undefined;
  const { address, type, block } = pool;
  const [startId, endId] = [hexOf(pool.startId), hexOf(pool.endId)];
  return {
    type,
    key: `${address}/${startId}`,
    address,
    startId,
    block,
    source: { address, topics: eventTopics },
    shared: { address, topics: approvalTopics, from: firstBlock },
    creation: { address, topics: [creationTopic] },
    readsInput: false,
    takesData: true,
    standard: 'ERC1155',
    decimals: 0,
    info: textOf({ address, startId, endId }),
  };
}

function readCreation({ address, topics, data, position }: ContractLog): FoundPool | undefined {
  const [topic, creator, start] = topics;
  const words = topic === creationTopic && decodeWords(['uint256', 'bool', 'bytes'], data);
  if (!words || start === undefined) return undefined;
  const [startId, endId] = [BigInt(start), BigInt(String(words[0]))];
  const type = words[1] === true ? 'fungible' : 'nonfungible';
  if (!isValidPool(startId, endId, type)) return undefined;
  const locator = writeLocator({ address, type: typeOfId(startId), startId, endId, block: position.block });
  return { locator, creator: addressOf(creator) };
}

/** A method, its arguments, and its gas beyond the base of every call. */
type Call = readonly [name: string, values: readonly unknown[], more: number];

function fungibleCall({ startId }: PoolIds, { kind, from, to, amount, uri, data }: TransferRequest): Call {
  const bytes = bytesOf(data);
  if (kind === 'burn') return ['burn', [from, startId, amount, bytes], 0];
  if (kind === 'transfer') return ['safeTransferFrom', [from, to, startId, amount, bytes], 0];
  if (uri !== undefined) {
    throw new ServiceError('field_type', { field: 'uri', expected: 'absent: the pool is fungible', actual: uri });
  }
  return ['mintFungible', [startId, [to], [amount], bytes], 0];
}

function tokenCall({ startId }: PoolIds, request: TransferRequest): Call {
  const { kind, from, to, amount, uri, data } = request;
  const bytes = bytesOf(data);
  if (kind === 'burn') return ['burn', [from, startId | indexOf(request), amount, bytes], 0];
  if (kind === 'transfer') return ['safeTransferFrom', [from, to, startId | indexOf(request), amount, bytes], 0];
  const count = Number(amount);
  if (!(count >= 1 && count <= maxTokensPerMint)) {
    const expected = `from 1 to ${maxTokensPerMint}, the number of tokens to mint`;
    throw new ServiceError('field_type', { field: 'amount', expected, actual: amount });
  }
  const recipients = Array.from({ length: count }, () => to);
  if (uri === undefined || uri === '') return ['mintNonFungible', [startId, recipients, bytes], count * gasPerToken];
  const sizeBytes = Buffer.byteLength(uri);
  if (sizeBytes > maxTokenUriBytes) {
    throw new ServiceError('too_long', { field: 'uri', max: maxTokenUriBytes, unit: 'bytes', actual: sizeBytes });
  }
  const words = Math.ceil(sizeBytes / 32) + 3;
  return ['mintNonFungibleWithURI', [startId, recipients, bytes, uri], count * gasPerToken + words * gasPerWord];
}

function indexOf({ tokenIndex = '' }: TransferRequest): bigint {
  const index = /^[0-9]{1,39}$/.test(tokenIndex) ? BigInt(tokenIndex) : 0n;
  if (index >= 1n && index <= maxIndex) return index;
  const expected = `from 1 to ${maxIndex}, the index of a token`;
  throw new ServiceError('field_type', { field: 'tokenIndex', expected, actual: tokenIndex });
}
