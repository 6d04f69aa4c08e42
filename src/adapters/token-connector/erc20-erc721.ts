import assert from 'node:assert/strict';
import { id as hashOf } from 'ethers';
import type { AbiEntry } from '../../domain/contracts/abi.js';
import { tokenFactoryAbi } from '../../domain/tokens/contracts.js';
import type { ContractLog } from '../../ports/blockchain.js';
import type {
  FoundPool,
  LocatedPool,
  PoolOrigin,
  PoolRequest,
  TokenCall,
  TokenConnector,
} from '../../ports/token-connector.js';
import { ServiceError } from '../../wire/errors/error.js';
import { textOf } from '../../wire/json/json.js';
import type { TokenType } from '../../wire/token.js';
import { chooseMethods } from './choose-methods.js';
import { readAddress, readConfig, readDigits } from './config.js';
import { encodeApproval, encodeTransfer } from './erc20-erc721/calls.js';
import { eventTopics, keyOf, readEvents } from './erc20-erc721/events.js';
import { inspectContract } from './erc20-erc721/inspect.js';
import { lazyInterface } from './lazy-interface.js';
import { dataOfMapped, encodeMapped, encodeMappedApproval, type MappedCall } from './mapped-methods.js';
import { readLocator, type Schema, takesData, type TokenContract, writeLocator } from './erc20-erc721/locator.js';
import { addressOf, bytesOf, decodeWords } from './words.js';

export interface Erc20Erc721Options {
  /** Address of this network's `TokenFactory.sol`, in lower case. */
  readonly address: string;
}

const factory = lazyInterface(tokenFactoryAbi);
const creationTopic = hashOf('PoolCreated(address,address,bool,string,string,bytes)');

/** For the larger of the two contracts, with names of 64 bytes. */
const creationGas = 3_000_000;
/** Foreign contracts may need more than Parley's own. */
const baseGas = 1_000_000;
/** Per byte of the call: sent, possibly stored, and repeated in an event. */
const gasPerByte = 800;
const maxBlock = 10n ** 15n - 1n;
/** The factory's limit for name and symbol. */
const maxNameBytes = 64;

/** Creates the connector for pools with their own contracts, Parley's or foreign (docs/protocol.md §13.4). */
export function createErc20Erc721({ address }: Erc20Erc721Options): TokenConnector {
  return {
    name: 'erc20_erc721',
    creations: { address, topics: [creationTopic] },

    createPool({ type, name, symbol = '', config }, data): PoolOrigin {
      const members = readConfig(config, 'pool');
      const existing = readAddress(members, 'address');
      const block = readDigits(members, 'blockNumber', maxBlock);
      if (existing !== undefined) {
        return { kind: 'existing', address: existing, block: block === undefined ? undefined : Number(block) };
      }
      requireShort('name', name);
      requireShort('symbol', symbol);
      const values = [name, symbol, type === 'fungible', bytesOf(data)];
      return { kind: 'call', call: callOf(address, factory().encodeFunctionData('create', values), creationGas) };
    },

    chooseMethods: (request, offered) => methodsFor(request, offered),

    readCreation,

    inspect: async (request, origin, ask, head) => ({
      locator: writeLocator(await inspectContract(request, origin, ask, head)),
      creator: null,
    }),

    locate,

    transfer(request) {
      readConfig(request.config, 'transfer');
      return operationOf(request, encodeTransfer, encodeMapped);
    },
    approve: (request) => operationOf(request, encodeApproval, encodeMappedApproval),

    events: readEvents,
    dataOf: ({ input }, methods) => (input === undefined ? undefined : dataOfMapped(methods, input)),
  };
}

/** Builds the call of an operation: by the contract's standard, or by the pool's chosen methods. */
function operationOf<R extends { readonly locator: string; readonly methods?: readonly AbiEntry[] | undefined }>(
  request: R,
  encodeStandard: (schema: Schema, request: R) => string,
  encodeChosen: (methods: readonly AbiEntry[], type: TokenType, request: R) => MappedCall,
): TokenCall {
  const contract = contractOf(request.locator);
  const { address: to, schema, type } = contract;
  const { methods = [] } = request;
  const { data, ...said } =
    methods.length === 0
      ? { data: encodeStandard(schema, request), carriesData: takesData(contract) }
      : encodeChosen(methods, type, request);
  return { ...callOf(to, data, baseGas), ...said };
}

/** Chooses methods, for a contract named by the user only; the methods of Parley's contracts are known. */
function methodsFor(
  { type, config }: PoolRequest,
  offered: Parameters<TokenConnector['chooseMethods']>[1],
): ReturnType<TokenConnector['chooseMethods']> {
  const members = readConfig(config, 'pool');
  const asked = members['methods'];
  const refuse = (expected: string): never => {
    throw new ServiceError('field_type', { field: 'config.methods', expected, actual: 'given' });
  };
  if (readAddress(members, 'address') === undefined) {
    return asked === undefined
      ? undefined
      : refuse('absent without config.address: the methods of a new contract are known');
  }
  if (offered !== undefined) return chooseMethods(asked, type, offered);
  return asked === undefined ? undefined : refuse('absent without interface, which has the methods');
}

function callOf(to: string, data: string, gas: number): Omit<TokenCall, 'carriesData'> {
  return { to, data, gas: gas + gasPerByte * (data.length / 2 - 1), value: '0' };
}

function requireShort(field: string, text: string): void {
  const actual = Buffer.byteLength(text);
  if (actual > maxNameBytes) throw new ServiceError('too_long', { field, max: maxNameBytes, unit: 'bytes', actual });
}

function contractOf(locator: string): TokenContract {
  const contract = readLocator(locator);
  assert(contract !== undefined, 'a pool of this connector has a locator of its own');
  return contract;
}

function locate(locator: string): LocatedPool | undefined {
  const contract = readLocator(locator);
  if (contract === undefined) return undefined;
  const { address, type, schema, block, decimals, isSilent } = contract;
  return {
    type,
    key: keyOf(address, type),
    address,
    startId: null,
    block,
    // Only contracts with Parley's events name the caller.
    source: { address, topics: eventTopics, ...((isSilent || !takesData(contract)) && { withInput: true }) },
    shared: undefined,
    // A locator does not prove who deployed the contract: any member may publish it.
    creation: undefined,
    readsInput: isSilent,
    takesData: takesData(contract),
    standard: type === 'fungible' ? 'ERC20' : 'ERC721',
    decimals,
    info: textOf({ address, schema }),
  };
}

function readCreation({ topics, data, position }: ContractLog): FoundPool | undefined {
  const [topic, creator, pool] = topics;
  const words = topic === creationTopic && decodeWords(['bool', 'bytes', 'bytes', 'bytes'], data);
  if (!words || pool === undefined) return undefined;
  const isFungible = words[0] === true;
  const contract: TokenContract = {
    address: addressOf(pool),
    type: isFungible ? 'fungible' : 'nonfungible',
    schema: isFungible ? 'ERC20WithData' : 'ERC721WithData',
    block: position.block,
    decimals: isFungible ? 18 : 0,
    isSilent: false,
  };
  return { locator: writeLocator(contract), creator: addressOf(creator) };
}
