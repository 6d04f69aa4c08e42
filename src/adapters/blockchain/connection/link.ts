import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { ChainError } from '../../../ports/blockchain.js';
import type { Clock } from '../../../ports/clock.js';
import type { Connection } from './connection.js';
import { readHeader, readQuantity } from '../logs/header.js';
import { behind, readHead } from '../logs/range.js';
import { createHttpConnection } from './http-connection.js';
import { openSocketConnection } from './socket-connection.js';

/** Identifies a chain and the contract on it. */
export interface ChainIdentity {
  readonly chainId: number;
  readonly genesisHash: string;
  readonly codeHash: string;
}

/** A connection to a chain that was verified to be the right one. */
export interface Link extends ChainIdentity {
  readonly connection: Connection;
}

/** The shared connection of a node to its chain; the first caller opens it. */
export interface Linker {
  /**
   * Resolves with the open link, or a new one. Rejects with ChainError `unreachable`; with `other_chain` if there is no
   * contract at the address, or chain or contract differ from those seen before by this process.
   */
  link(): Promise<Link>;

  /** Aborts on `close`. */
  readonly closed: AbortSignal;
  close(): void;
}

export interface LinkerOptions {
  readonly url: string;
  readonly authorization?: string | undefined;
  readonly contract: string;
  /** A server without this block may not have the contract yet. */
  readonly firstBlock: number;
  readonly clock: Clock;
}

export function createLinker({ url, authorization, contract, firstBlock, clock }: LinkerOptions): Linker {
  let current: Promise<Link> | undefined;
  let known: ChainIdentity | undefined;
  const closed = new AbortController();
  // One listener for each call that waits for its receipt.
  setMaxListeners(0, closed.signal);

  async function open(): Promise<Link> {
    const connection = await openConnection(url, clock, authorization);
    try {
      const identity = await readIdentity(connection, contract, firstBlock);
      if (closed.signal.aborted) throw new ChainError('unreachable', 'The connection to the chain is closed.');
      known ??= identity;
      assertSame(known, identity, url);
      return { connection, ...identity };
    } catch (error) {
      connection.close('The connection to the chain was given up.');
      // Whatever the error is: without its identity, no call can be made to the server.
      throw error instanceof ChainError ? error : new ChainError('unreachable', messageOf(error), { cause: error });
    }
  }

  async function link(): Promise<Link> {
    if (closed.signal.aborted) throw new ChainError('unreachable', 'The connection to the chain is closed.');
    const asked = (current ??= open());
    const forget = (): void => {
      if (current === asked) current = undefined;
    };
    try {
      const opened = await asked;
      if (!opened.connection.closed.aborted) return opened;
    } catch (error) {
      forget();
      throw error;
    }
    forget();
    return link();
  }

  return {
    link,
    closed: closed.signal,
    close() {
      closed.abort();
      current?.then(
        ({ connection }) => connection.close('The connection to the chain is closed.'),
        // The caller receives the error.
        () => undefined,
      );
    },
  };
}

async function openConnection(url: string, clock: Clock, authorization?: string): Promise<Connection> {
  if (/^https?:/.test(url)) return createHttpConnection(url, clock, authorization);
  return openSocketConnection(url, clock, authorization);
}

async function readIdentity(connection: Connection, contract: string, firstBlock: number): Promise<ChainIdentity> {
  const { request } = connection;
  const [chainId, genesis, code] = await Promise.all([
    request('eth_chainId', []),
    request('eth_getBlockByNumber', ['0x0', false]),
    request('eth_getCode', [contract, 'latest']),
  ]);
  if (typeof code !== 'string' || code.length <= 2) {
    if ((await readHead(connection)) < firstBlock) throw behind(firstBlock);
    throw new ChainError('other_chain', `There is no contract at ${contract} on this chain. Is it the right chain?`);
  }
  return {
    chainId: readQuantity(chainId),
    genesisHash: readHeader(genesis).hash,
    codeHash: createHash('sha256').update(code).digest('hex'),
  };
}

function assertSame(known: ChainIdentity, found: ChainIdentity, url: string): void {
  const differing = differences.find(([field]) => known[field] !== found[field]);
  if (differing === undefined) return;
  const [field, noun] = differing;
  const sentence = `The ${noun} of the chain at ${url} was ${known[field]} and is now ${found[field]}.`;
  throw new ChainError('other_chain', `${sentence} It is not the same chain.`);
}

const differences = [
  ['chainId', 'chain id'],
  ['genesisHash', 'genesis hash'],
  ['codeHash', 'contract code'],
] as const satisfies readonly (readonly [keyof ChainIdentity, string])[];

function messageOf(error: unknown): string {
  return `The chain gave no usable answer: ${error instanceof Error ? error.message : String(error)}`;
}
