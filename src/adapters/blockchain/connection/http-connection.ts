import { setMaxListeners } from 'node:events';
import { createAgents, shortUnusedMs } from '../../../http/client/agents.js';
import { openRequest } from '../../../http/client/request.js';
import { readText } from '../../../http/client/response.js';
import { ChainError } from '../../../ports/blockchain.js';
import type { Clock } from '../../../ports/clock.js';
import type { Connection } from './connection.js';
import { pollHeads } from './poll-heads.js';
import { isAnswerTo, type RpcAnswer, RpcError } from './rpc-error.js';

const requestTimeoutMs = 20_000;
const maxAnswerBytes = 268_435_456;

/**
 * Creates a connection to a chain at `http://` or `https://`, which polls the newest block. `authorization` is the
 * header that the server requires, if any. A request without a usable response closes the connection.
 */
export function createHttpConnection(url: string, clock: Clock, authorization?: string): Connection {
  const ended = new AbortController();
  // One listener for each request in flight.
  setMaxListeners(0, ended.signal);
  const agents = createAgents({ maxUnusedMs: shortUnusedMs });
  const headers = { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) };
  let lastId = 0;
  let ending: string | undefined;

  function close(reason: string): void {
    ending ??= reason;
    ended.abort();
    agents.close();
  }

  async function ask(method: string, parameters: readonly unknown[]): Promise<RpcAnswer> {
    const id = (lastId += 1);
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: parameters });
    const limits = { totalMs: requestTimeoutMs };
    const response = await openRequest({ url, method: 'POST', headers, body, agents, limits, signal: ended.signal });
    const { status, statusText } = response;
    const text = await readText(response, maxAnswerBytes);
    // With any status except redirects: servers answer refused calls with 200, 400 or 500 and a JSON-RPC error in the
    // body. A gateway before the chain may answer with other JSON, or with what another request has asked.
    const isAnswered = text.startsWith('{') && (status < 300 || status >= 400);
    const answer = isAnswered ? (JSON.parse(text) as RpcAnswer) : {};
    if (isAnswerTo(answer, id)) return answer;
    throw new Error(`${status} ${statusText}, without an answer to ${method}`);
  }

  const request: Connection['request'] = async (method, parameters) => {
    if (ended.signal.aborted) throw new ChainError('unreachable', ending ?? '');
    let answer: RpcAnswer;
    try {
      answer = await ask(method, parameters);
    } catch (cause) {
      close(`The chain cannot be reached: ${reasonOf(cause)}.`);
      throw new ChainError('unreachable', ending ?? '', { cause });
    }
    const { result, error } = answer;
    if (error === undefined || error === null) return result;
    throw RpcError.of(method, error);
  };

  return {
    request,
    subscribeHeads: (listener) => pollHeads({ request, listener, clock, closed: ended.signal, close }),
    closed: ended.signal,
    close,
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
