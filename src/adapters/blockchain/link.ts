import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { ChainError } from '../../ports/blockchain.js';
import type { Clock } from '../../ports/clock.js';
import { type Connection, openConnection } from './connection.js';
import { readHeader, readQuantity } from './header.js';

/** What makes a chain that chain, and the contract that contract. */
export interface ChainIdentity {
  readonly chainId: number;
  readonly genesisHash: string;
  readonly codeHash: string;
}

/** A connection to a chain that has been found to be the right one. */
export interface Link extends ChainIdentity {
  readonly connection: Connection;
}

/** The one way of a node to its chain: whoever needs it asks, and the first to ask opens it. */
export interface Linker {
  /**
   * The link that is open, or a new one. Rejects with ChainError `unreachable`; with `other_chain` when there is no
   * contract at the address, or another chain or contract than this process has seen before.
   */
  link(): Promise<Link>;

  /** Aborts with `close`. */
  readonly closed: AbortSignal;
  close(): void;
}

export interface LinkerOptions {
  readonly url: string;
  readonly token?: string | undefined;
  readonly contract: string;
  readonly clock: Clock;
}

export function createLinker({ url, token, contract, clock }: LinkerOptions): Linker {
  let current: Promise<Link> | undefined;
  let known: ChainIdentity | undefined;
  const closed = new AbortController();
  // As many calls wait for their receipts at once as a node has on their way.
  setMaxListeners(0, closed.signal);

  async function open(): Promise<Link> {
    const connection = await openConnection(socketUrl(url), clock, token);
    try {
      const identity = await readIdentity(connection, contract);
      if (closed.signal.aborted) throw new ChainError('unreachable', 'The way to the chain is closed.');
      known ??= identity;
      assertSame(known, identity, url);
      return { connection, ...identity };
    } catch (error) {
      connection.close('The connection to the chain was given up.');
      // Whatever a server says when asked who it is, no call can be made to it.
      throw error instanceof ChainError ? error : new ChainError('unreachable', messageOf(error), { cause: error });
    }
  }

  async function link(): Promise<Link> {
    if (closed.signal.aborted) throw new ChainError('unreachable', 'The way to the chain is closed.');
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
        ({ connection }) => connection.close('The way to the chain is closed.'),
        // Whoever asked has the error.
        () => undefined,
      );
    },
  };
}

/** Chains answer HTTP and WebSocket at one address; everything here goes over one WebSocket. */
function socketUrl(url: string): string {
  return url.replace(/^http(s?):/, 'ws$1:');
}

async function readIdentity({ request }: Connection, contract: string): Promise<ChainIdentity> {
  const [chainId, genesis, code] = await Promise.all([
    request('eth_chainId', []),
    request('eth_getBlockByNumber', ['0x0', false]),
    request('eth_getCode', [contract, 'latest']),
  ]);
  if (typeof code !== 'string' || code.length <= 2) {
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
