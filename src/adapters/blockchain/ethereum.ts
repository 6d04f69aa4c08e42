import { type Blockchain, type ChainCall, ChainError } from '../../ports/blockchain.js';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import { askContract, createEstimate } from './connection/ask.js';
import { RpcError } from './connection/rpc-error.js';
import { createFees, defaultFees, type FeeLimits, type Fees } from './fees.js';
import { readText } from './logs/header.js';
import { createLinker } from './connection/link.js';
import { createHistory } from './logs/history.js';
import { createLogs } from './logs/logs.js';
import { createProofs } from './logs/proofs.js';
import { hashOfBlock, readHead } from './logs/range.js';
import { countOf, createSubmit } from './submit.js';
import { createCallSigner } from './transaction.js';

export interface EthereumOptions {
  /** `ws(s)://`, or `http(s)://`, which is polled for its newest block. */
  readonly url: string;
  /** The `authorization` header that the server requires, if any. */
  readonly authorization?: string | undefined;
  /** Address of `Network.sol`. */
  readonly contract: string;
  /** The block with the contract's first log; earlier blocks are not read. */
  readonly firstBlock: number;
  /** Number of blocks that must follow a block before it is used; 0 on a chain without reorganisations. */
  readonly confirmations: number;
  /** Private keys of this node, `0x` and 64 digits. They do not leave this process. */
  readonly keys: readonly string[];
  readonly log: Log;
  readonly clock: Clock;
  /** Fixed fees, or limits for those that the chain suggests; default: fixed ones for a local chain. */
  readonly fees?: Fees | FeeLimits;
  /**
   * Whether others run the chain, so that several servers may answer at its address, some of them behind others, and
   * fees rise and fall; default: false.
   */
  readonly isExternal?: boolean;
}

/**
 * Creates the port for a chain behind JSON-RPC. It opens one connection on first use, and a new one after that has
 * closed. Throws Error for an invalid private key.
 */
export function createEthereumBlockchain(options: EthereumOptions): Blockchain {
  const { url, authorization, firstBlock, confirmations, isExternal = false, log, clock } = options;
  const contract = options.contract.toLowerCase();
  const signer = createCallSigner({ privateKeys: options.keys, contract });
  const linker = createLinker({ url, authorization, contract, firstBlock: isExternal ? firstBlock : 0, clock });
  const fees = createFees({ linker, clock, fees: options.fees ?? defaultFees });
  const proofs = createProofs(clock, linker.closed);
  const submit = createSubmit({ linker, proofs, confirmations, mayLag: isExternal, clock });
  const estimate = createEstimate(linker);
  const readHistory = createHistory({ linker, clock, mayLag: isExternal });
  let chainId: number | undefined;

  const balanceOf = async (key: string): Promise<bigint> => {
    const { connection } = await linker.link();
    return BigInt(readText(await connection.request('eth_getBalance', [key, 'latest'])));
  };

  /**
   * A call that was signed while fees were high would wait for funds that it no longer needs when they are low. An
   * empty call to the key itself takes the nonce of another one, and must not wait.
   */
  async function requireFunds(key: string, call: ChainCall, offered: Fees): Promise<void> {
    if (!isExternal || ('to' in call && call.to === key)) return;
    const [balance, cost] = [await balanceOf(key), signer.maxCostOf(call, offered)];
    if (balance >= cost) return;
    const what = `The key ${key} has too little to pay for its calls; send it some, or wait until fees fall`;
    throw new ChainError('unfunded', `${what}. It has ${balance} wei, and a call may cost ${cost} wei now.`);
  }

  return {
    keys: signer.keys,
    network: contract,
    addKey: (privateKey) => signer.add(privateKey),

    async sign(key, nonce, call) {
      chainId ??= (await reached(() => linker.link())).chainId;
      const offered = await reached(fees);
      await reached(() => requireFunds(key, call, offered));
      return signer.sign(key, nonce, call, { chainId, fees: offered });
    },

    submit: (raw) => reached(() => submit(raw)),
    count: (key, which) =>
      reached(async () => countOf(await linker.link(), key, which === 'confirmed' ? confirmations : 0)),
    balance: (key) => reached(() => balanceOf(key)),
    watch: createLogs({ linker, proofs, contract, firstBlock, confirmations, mayLag: isExternal, clock, log }),
    readLogs: (source, from, to) => reached(() => readHistory(source, from, to)),
    async blockHash(block) {
      try {
        return await hashOfBlock((await linker.link()).connection, block);
      } catch (error) {
        throw error instanceof RpcError ? new ChainError('unreachable', error.message, { cause: error }) : error;
      }
    },
    query: (query) => reached(() => askContract(linker, query)),
    estimate: (key, call) => reached(() => estimate(key, call)),

    status: () =>
      reached(async () => {
        const link = await linker.link();
        const head = await readHead(link.connection);
        return {
          chainId: link.chainId,
          genesisHash: link.genesisHash,
          head,
          confirmed: Math.max(0, head - confirmations),
        };
      }),

    async close() {
      linker.close();
    },
  };
}

/**
 * Reports another chain, or a server that responds with an error, as unreachable: only `watch` rejects with
 * `other_chain`, which stops the node.
 */
async function reached<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const isAway = error instanceof RpcError || (error instanceof ChainError && error.reason === 'other_chain');
    throw isAway ? new ChainError('unreachable', error.message, { cause: error }) : error;
  }
}
