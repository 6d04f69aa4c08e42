import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { type Ask, createRecent } from './recent.js';
import { RpcError, rpcCodes } from './rpc-error.js';
import { createTraceLimit, youngCollector } from './traces.js';

/** What decides every block's hash, together with the transactions and times. It never changes in a chain's life. */
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
  /** Hashes, in the block's order. */
  readonly transactions: readonly string[];
  readonly gasUsed: number;
  /** What another transaction could have taken. */
  readonly gasLeft: number;
}

/** What decides whether a waiting transaction can be in the next block. */
export interface Waiting {
  readonly sender: string;
  readonly nonce: number;
  readonly gasLimit: number;
}

/** A chain in this process's memory. What changes it is called by one caller, one call after the other. */
export interface Chain {
  head(): Block;
  /** Puts a signed transaction among those that wait for a block, also ahead of its nonce. Throws RpcError. */
  accept(raw: string): Promise<string>;
  /** A transaction as long as it waits: until it is mined, dropped, or replaced by one that pays more. */
  waiting(hash: string): Promise<Waiting | undefined>;
  /** Takes a waiting transaction out again. */
  drop(hash: string): Promise<void>;
  /**
   * Makes the next block of all that can be in it, first come first served. `time` may be that of the head. Throws
   * RpcError and makes nothing when a waiting transaction cannot be paid for after those before it.
   */
  mine(time: number): Promise<Block>;
  /** The nonce of the next transaction of an address. */
  nonce(address: string): Promise<number>;
  /** Any reading call; the `result` as JSON text. Throws RpcError. */
  ask(method: string, params: readonly unknown[]): Promise<string>;
}

/**
 * Hardhat's own engine, loaded from where hardhat has it. Hardhat's layer above it needs private keys for its genesis
 * accounts, 150 ms more to load and a second copy of each answer.
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

interface Provider {
  handleRequest(request: string): Promise<{ readonly data: unknown }>;
}

const hardhatRequire = createRequire(createRequire(import.meta.url).resolve('hardhat/package.json'));
const coinbase = 'c014ba5ec014ba5ec014ba5ec014ba5ec014ba5e';
const blockGasLimit = 60_000_000n;
const initialBaseFee = 1_000_000_000n;

/**
 * Makes chains in this process's memory; loading what they need takes 40 ms, a chain 5 ms. A process loads once, for
 * all its chains: the engine sets up the process's tracing, and complains on stderr when that is done already.
 */
export async function loadChains(): Promise<(genesis: Genesis) => Promise<Chain>> {
  const engine: unknown = hardhatRequire('@nomicfoundation/edr');
  assert(isEngine(engine), 'hardhat brings the engine that we know');
  const context = new engine.EdrContext();
  await context.registerProviderFactory(engine.GENERIC_CHAIN_TYPE, engine.genericChainProviderFactory());
  const collect = youngCollector();
  return async (genesis) => createChain(await createProvider(engine, context, genesis), createTraceLimit(collect));
}

/** A new chain of one block, its genesis. It mines only when told to, owns no key and never looks at the time. */
async function createChain(provider: Provider, hasTraced: (gasUsed: number) => void): Promise<Chain> {
  async function request(call: object): Promise<string> {
    const { data } = await provider.handleRequest(JSON.stringify(call));
    // An answer too long for a string comes as an object; no method that we pass on has one.
    if (typeof data !== 'string') throw new RpcError(rpcCodes.limitExceeded, 'The answer is too long. Ask for less.');
    if (data.startsWith('{"result":')) return data.slice('{"result":'.length, -1);
    throw toRpcError(data);
  }

  const ask: Ask = (method, params) => request({ method, params });
  const recent = createRecent(ask);
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
      };
    },
    async drop(hash) {
      await ask('hardhat_dropTransaction', [hash]);
    },
    async mine(time) {
      // One way to the engine and back: each costs more than most of what is asked there.
      const answers = await request([
        { method: 'evm_mine', params: [time] },
        { method: 'eth_getBlockByNumber', params: ['latest', false] },
      ]);
      assert(answers.startsWith(minedStart), 'mining answers with nothing');
      const text = answers.slice(minedStart.length, -1);
      const block = toBlock(text);
      assert(
        block.number === head.number + 1 && block.time === time,
        'mining makes the next block, at the time that was given',
      );
      head = block;
      recent.add(block.number, text);
      hasTraced(block.gasUsed);
      return block;
    },
    nonce: async (address) => Number(JSON.parse(await ask('eth_getTransactionCount', [address, 'latest']))),
  };
}

function isEngine(loaded: unknown): loaded is Engine {
  return typeof loaded === 'object' && loaded !== null && 'EdrContext' in loaded && 'l1GenesisState' in loaded;
}

/** How the answers to mining and to the block that came of it begin. */
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
  };
}

/** The members of an object in JSON; none for `null`. */
function parse(text: string): ReadonlyMap<string, unknown> {
  const value: unknown = JSON.parse(text);
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
    // A reverted transaction is an answer in its receipt, as on every other chain.
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

/** The engine wraps what a contract gave back when it reverted; tools expect the bytes themselves. */
function toRpcError(answer: string): RpcError {
  const { error }: { error?: unknown } = Object.fromEntries(parse(answer));
  assert(typeof error === 'object' && error !== null && 'code' in error && 'message' in error, 'an answer or an error');
  const data = 'data' in error ? error.data : undefined;
  const returned = typeof data === 'object' && data !== null && 'data' in data ? data.data : undefined;
  if (typeof returned === 'string') return new RpcError(rpcCodes.reverted, String(error.message), returned);
  return new RpcError(Number(error.code), String(error.message));
}
