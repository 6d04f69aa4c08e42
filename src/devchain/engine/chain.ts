import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { collectYoung } from '../../http/collector.js';
import { type Ask, createRecentBlocks } from '../journal/recent.js';
import { RpcError, rpcCodes } from '../rpc/rpc-error.js';
import { createTraceLimit } from './traces.js';

/**
 * The genesis of a chain, which never changes. With the transactions and times it determines the hash of every block.
 */
export interface Genesis {
  readonly chainId: number;
  /** Seconds since 1970. */
  readonly time: number;
  readonly accounts: readonly { readonly address: string; readonly balance: bigint }[];
}

export interface Block {
  readonly number: number;
  readonly hash: string;
  /** Seconds since 1970. */
  readonly time: number;
  /** Hashes, in block order. */
  readonly transactions: readonly string[];
  readonly gasUsed: number;
  /** Gas left for further transactions. */
  readonly gasLeft: number;
  /** The least that a transaction of the block had to pay, in wei per gas. */
  readonly baseFee: bigint;
}

/** The fields of a waiting transaction that decide whether it fits in the next block. */
export interface Waiting {
  readonly sender: string;
  readonly nonce: number;
  readonly gasLimit: number;
  /** The most that the transaction pays, in wei per gas. */
  readonly maxFee: bigint;
}

/** A call to the engine. */
export interface Call {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** An in-memory chain. Calls that change it must come from one caller, one after the other. */
export interface Chain {
  head(): Block;
  /** Queues a signed transaction for a block, even ahead of its nonce. Throws RpcError. */
  accept(raw: string): Promise<string>;
  /** A waiting transaction; undefined once it is mined, dropped, or replaced by one with a higher fee. */
  waiting(hash: string): Promise<Waiting | undefined>;
  /** Removes a waiting transaction. */
  drop(hash: string): Promise<void>;
  /**
   * Mines the next block with all transactions that fit, first come first served. `time` may equal that of the head.
   * Throws RpcError and mines nothing if a waiting transaction cannot be paid for after those before it.
   */
  mine(time: number): Promise<Block>;
  /**
   * Repeats calls of the journal in one request; resolves with their results. Throws RpcError, possibly after some of
   * the calls.
   */
  repeat(calls: readonly Call[]): Promise<readonly unknown[]>;
  /** The hashes of all waiting transactions. */
  allWaiting(): Promise<ReadonlySet<string>>;
  /** The hash of a block; undefined if there is no such block. */
  hashOf(number: number): Promise<string | undefined>;
  /** The nonce of the next transaction of an address. */
  nonce(address: string): Promise<number>;
  /** Makes any read-only call; resolves with `result` as JSON text. Throws RpcError. */
  ask(method: string, params: readonly unknown[]): Promise<string>;
}

/**
 * Hardhat's engine, loaded from hardhat's own dependencies. Hardhat's layer above it needs private keys for its genesis
 * accounts, 150 ms more to load and a second copy of each response.
 */
interface Engine {
  readonly OSAKA: string;
  readonly GENERIC_CHAIN_TYPE: string;
  readonly EdrContext: new () => EngineContext;
  readonly ContractDecoder: { withContracts(tracing: object): object };
  genericChainProviderFactory(): object;
  l1HardforkFromString(name: string): number;
  l1GenesisState(hardfork: number): EngineAccount[];
}

interface EngineAccount {
  readonly address: Uint8Array;
  readonly balance?: bigint;
  readonly code?: Uint8Array;
}

interface EngineContext {
  registerProviderFactory(type: string, factory: object): Promise<void>;
  createProvider(
    type: string,
    config: object,
    logger: object,
    subscriptions: object,
    decoder: object,
  ): Promise<Provider>;
}

/** An engine. It answers a call with `{"result":…}` or `{"error":…}`; the result of a list of calls is a list. */
export interface Provider {
  handleRequest(request: string): Promise<{ readonly data: unknown }>;
}

const hardhatRequire = createRequire(createRequire(import.meta.url).resolve('hardhat/package.json'));
export const coinbase = 'c014ba5ec014ba5ec014ba5ec014ba5ec014ba5e';
export const blockGasLimit = 60_000_000n;
export const initialBaseFee = 1_000_000_000n;

/**
 * Loads the engine and returns the function that creates in-memory chains; loading takes 40 ms, a chain 5 ms. Load once
 * per process, for all chains: the engine installs its tracing in the process, and prints a warning if that exists
 * already.
 */
export async function loadChains(): Promise<(genesis: Genesis) => Promise<Chain>> {
  const engine: unknown = hardhatRequire('@nomicfoundation/edr');
  assert(isEngine(engine), 'hardhat contains the expected engine');
  const context = new engine.EdrContext();
  await context.registerProviderFactory(engine.GENERIC_CHAIN_TYPE, engine.genericChainProviderFactory());
  return async (genesis) => createChain(await createProvider(engine, context, genesis), createTraceLimit(collectYoung));
}

/**
 * Creates a chain that has only its genesis block. It mines only on request, holds no key and never reads the clock.
 */
export async function createChain(provider: Provider, limitTraces: (gasUsed: number) => void): Promise<Chain> {
  async function request(call: object): Promise<string> {
    const { data } = await provider.handleRequest(JSON.stringify(call));
    // The engine returns a response that is too long for a string as an object.
    if (typeof data !== 'string') throw new RpcError(rpcCodes.limitExceeded, 'The result is too large. Request less.');
    if (data.startsWith('{"result":')) return data.slice('{"result":'.length, -1);
    throw toRpcError(data);
  }

  const ask: Ask = (method, params) => request({ method, params });
  const recent = createRecentBlocks(ask);
  let head = toBlock(await ask('eth_getBlockByNumber', ['0x0', false]));

  return {
    head: () => head,
    ask: (method, params) => recent.answer(method, params) ?? ask(method, params),
    async accept(raw) {
      return String(JSON.parse(await ask('eth_sendRawTransaction', [raw])));
    },
    async waiting(hash) {
      const found = parse(await ask('eth_getTransactionByHash', [hash]));
      if (found.get('blockHash') !== null) return undefined;
      return {
        sender: textOf(found, 'from'),
        nonce: Number(textOf(found, 'nonce')),
        gasLimit: Number(textOf(found, 'gas')),
        maxFee: BigInt(textOf(found, found.has('maxFeePerGas') ? 'maxFeePerGas' : 'gasPrice')),
      };
    },
    async drop(hash) {
      await ask('hardhat_dropTransaction', [hash]);
    },
    async mine(time) {
      // One call for both: the round trip to the engine costs more than most requests.
      const answers = await request([
        { method: 'evm_mine', params: [time] },
        { method: 'eth_getBlockByNumber', params: ['latest', false] },
      ]);
      assert(answers.startsWith(minedStart), 'the engine answers mining with "0"');
      const text = answers.slice(minedStart.length, -1);
      const block = toBlock(text);
      assert(
        block.number === head.number + 1 && block.time === time,
        'mining produces the next block, at the given time',
      );
      head = block;
      recent.add(block.number, text);
      limitTraces(block.gasUsed);
      return block;
    },
    async repeat(calls) {
      const results: unknown = JSON.parse(await request(calls));
      assert(Array.isArray(results), 'a list of calls has a list of results');
      const text = await ask('eth_getBlockByNumber', ['latest', false]);
      head = toBlock(text);
      recent.add(head.number, text);
      limitTraces(Number.POSITIVE_INFINITY);
      return results;
    },
    async allWaiting() {
      const waiting: unknown = JSON.parse(await ask('eth_pendingTransactions', []));
      assert(Array.isArray(waiting), 'the engine lists waiting transactions');
      return new Set(waiting.map((transaction) => textOf(entriesByName(transaction), 'hash')));
    },
    async hashOf(number) {
      const found = parse(await ask('eth_getBlockByNumber', [`0x${number.toString(16)}`, false]));
      return found.size === 0 ? undefined : textOf(found, 'hash');
    },
    nonce: async (address) => Number(JSON.parse(await ask('eth_getTransactionCount', [address, 'latest']))),
  };
}

function isEngine(loaded: unknown): loaded is Engine {
  return typeof loaded === 'object' && loaded !== null && 'EdrContext' in loaded && 'l1GenesisState' in loaded;
}

/** The prefix of the response to mining and the query of the mined block. */
const minedStart = '["0",';

function toBlock(text: string): Block {
  const found = parse(text);
  const transactions = found.get('transactions');
  assert(Array.isArray(transactions), 'a block has transactions');
  const gasUsed = Number(textOf(found, 'gasUsed'));
  return {
    number: Number(textOf(found, 'number')),
    hash: textOf(found, 'hash'),
    time: Number(textOf(found, 'timestamp')),
    transactions: transactions.map(String),
    gasUsed,
    gasLeft: Number(textOf(found, 'gasLimit')) - gasUsed,
    baseFee: BigInt(textOf(found, 'baseFeePerGas')),
  };
}

/** The members of a JSON object; none for `null`. */
function parse(text: string): ReadonlyMap<string, unknown> {
  return entriesByName(JSON.parse(text));
}

function entriesByName(value: unknown): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

function textOf(members: ReadonlyMap<string, unknown>, name: string): string {
  const value = members.get(name);
  assert(typeof value === 'string', `the engine answers with ${name}`);
  return value;
}

function createProvider(engine: Engine, context: EngineContext, genesis: Genesis): Promise<Provider> {
  const funded = genesis.accounts.map(({ address, balance }) => ({
    address: Buffer.from(address.slice(2), 'hex'),
    balance,
    code: new Uint8Array(0),
  }));
  const config = {
    allowBlocksWithSameTimestamp: true,
    allowUnlimitedContractSize: false,
    bailOnCallFailure: true,
    // A reverted transaction is reported in its receipt, as on every other chain.
    bailOnTransactionFailure: false,
    blockGasLimit,
    chainId: BigInt(genesis.chainId),
    chainOverrides: [],
    coinbase: Buffer.from(coinbase, 'hex'),
    genesisState: [...engine.l1GenesisState(engine.l1HardforkFromString(engine.OSAKA)), ...funded],
    hardfork: engine.OSAKA,
    initialBaseFeePerGas: initialBaseFee,
    initialDate: BigInt(genesis.time),
    minGasPrice: 0n,
    mining: { autoMine: false, memPool: { order: 'Fifo' } },
    networkId: BigInt(genesis.chainId),
    observability: {},
    ownedAccounts: [],
    precompileOverrides: [],
  };
  const logger = { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => undefined };
  const subscriptions = { subscriptionCallback: () => undefined };
  return context.createProvider(
    engine.GENERIC_CHAIN_TYPE,
    config,
    logger,
    subscriptions,
    engine.ContractDecoder.withContracts({}),
  );
}

/** The engine wraps revert data; tools expect the bytes themselves. */
function toRpcError(answer: string): RpcError {
  const { error }: { error?: unknown } = Object.fromEntries(parse(answer));
  assert(
    typeof error === 'object' && error !== null && 'code' in error && 'message' in error,
    'the engine answers with a result or an error',
  );
  const data = 'data' in error ? error.data : undefined;
  const returned = typeof data === 'object' && data !== null && 'data' in data ? data.data : undefined;
  if (typeof returned === 'string') return new RpcError(rpcCodes.reverted, String(error.message), returned);
  return new RpcError(Number(error.code), String(error.message));
}
