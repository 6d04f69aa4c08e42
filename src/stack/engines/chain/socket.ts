import type { ClientRequest, IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { StackError } from '../../error.js';

/** The identity of a chain, as read over HTTP. */
interface KnownChain {
  readonly chainId: number;
  readonly genesisHash: unknown;
}

interface SocketOptions {
  readonly authorization: string | undefined;
  /** Limit of the whole inspection. */
  readonly limitMs: number;
}

const maxAnswerBytes = 1_048_576;
const questions = [
  { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] },
  { jsonrpc: '2.0', id: 2, method: 'eth_getBlockByNumber', params: ['0x0', false] },
] as const;

/**
 * Checks that a WebSocket belongs to a chain.
 *
 * @throws StackError CHAIN_UNREACHABLE, CHAIN_UNSUITABLE; CHAIN_MISMATCH if it is of another chain than `known`
 */
export async function inspectSocket(url: string, known: KnownChain, options: SocketOptions): Promise<void> {
  const [chainId, genesis] = await answersOf(url, options);
  if (typeof chainId !== 'string' || !/^0x[0-9a-f]{1,13}$/i.test(chainId)) {
    throw unsuitable(`${url} is not the WebSocket of a chain: it returned no chain id`);
  }
  const hash: unknown = genesis instanceof Object ? Reflect.get(genesis, 'hash') : undefined;
  if (Number(chainId) === known.chainId && hash === known.genesisHash) return;
  const differs = Number(chainId) === known.chainId ? 'its genesis block differs' : `its id is ${Number(chainId)}`;
  throw new StackError('CHAIN_MISMATCH', `chain.ws: ${url} is of another chain than chain.url: ${differs}.`, {
    hint: 'Name the WebSocket of the same chain, or remove chain.ws: nodes then poll the chain.',
  });
}

/** The results of the questions, in their order; undefined for one that was refused. */
async function answersOf(url: string, { authorization, limitMs }: SocketOptions): Promise<readonly unknown[]> {
  const { WebSocket: Client } = await import('ws');
  const headers = authorization === undefined ? {} : { authorization };
  const socket = new Client(url, { headers, maxPayload: maxAnswerBytes });
  try {
    return await exchange(socket, url, { hasCredentials: authorization !== undefined, limitMs });
  } finally {
    // Errors of the closing socket are ignored.
    socket.on('error', () => undefined);
    socket.terminate();
  }
}

interface ExchangeOptions {
  readonly hasCredentials: boolean;
  readonly limitMs: number;
}

function exchange(
  socket: WebSocket,
  url: string,
  { hasCredentials, limitMs }: ExchangeOptions,
): Promise<readonly unknown[]> {
  return new Promise((resolve, reject) => {
    const results = new Map<unknown, unknown>();
    const timer = setTimeout(() => {
      reject(unreachable(`${url} did not answer within ${limitMs / 1_000} s`));
    }, limitMs);
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      settle();
    };
    socket.once('open', () => {
      for (const question of questions) socket.send(JSON.stringify(question));
    });
    socket.addEventListener('message', ({ data }) => {
      // Text frames arrive as strings; a chain sends no others.
      const answer = readAnswer(typeof data === 'string' ? data : '');
      if (answer === undefined) {
        end(() => reject(unsuitable(`${url} is not the WebSocket of a chain: it does not speak JSON-RPC`)));
        return;
      }
      results.set(answer.id, answer.result);
      if (questions.every(({ id }) => results.has(id))) {
        end(() => resolve(questions.map(({ id }) => results.get(id))));
      }
    });
    socket.once('unexpected-response', (_: ClientRequest, response: IncomingMessage) => {
      end(() => reject(refused(url, response.statusCode ?? 0, hasCredentials)));
    });
    socket.once('error', (cause) => {
      end(() => reject(unreachable(`nothing answers at ${url}: ${cause.message || 'no connection'}`, cause)));
    });
    socket.once('close', () => {
      end(() => reject(unsuitable(`${url} closed the connection without an answer`)));
    });
  });
}

function readAnswer(text: string): { readonly id: unknown; readonly result: unknown } | undefined {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!(answer instanceof Object) || !('id' in answer)) return undefined;
  return { id: answer.id, result: Reflect.get(answer, 'result') };
}

function refused(url: string, status: number, hasCredentials: boolean): StackError {
  if (status === 401 || status === 403) {
    const reason = hasCredentials ? 'it refuses the credentials of chain.authFile' : 'it asks for credentials';
    return new StackError('CHAIN_UNSUITABLE', `chain.ws: ${url} answers ${status}: ${reason}.`, {
      hint: hasCredentials
        ? 'Write a token that it accepts, or user:password, into the file of chain.authFile.'
        : 'Write a token, or user:password, into a file of mode 0600, and set chain.authFile to file:PATH.',
    });
  }
  return unsuitable(`${url} is not a WebSocket: it answers ${status} to the handshake`);
}

const hint = 'Name the address of its WebSocket, or remove chain.ws: nodes then poll the chain.';

function unsuitable(what: string): StackError {
  return new StackError('CHAIN_UNSUITABLE', `chain.ws: ${what}.`, { hint });
}

function unreachable(what: string, cause?: unknown): StackError {
  return new StackError('CHAIN_UNREACHABLE', `chain.ws: ${what}.`, { hint, cause });
}
