import { ChainError } from '../../../ports/blockchain.js';
import type { Clock } from '../../../ports/clock.js';
import type { Connection } from './connection.js';
import { pollHeads } from './poll-heads.js';
import { type RpcAnswer, RpcError } from './rpc-error.js';

const requestTimeoutMs = 20_000;
const maxAnswerBytes = 268_435_456;

/**
 * Creates a connection to a chain at `http://` or `https://`, which is asked for its newest block at intervals.
 * `authorization` is the header that the server requires, if any. A request without a usable response closes it.
 */
export function createHttpConnection(url: string, clock: Clock, authorization?: string): Connection {
  const ended = new AbortController();
  const headers = { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) };
  let lastId = 0;

  function close(): void {
    ended.abort();
  }

  async function ask(method: string, parameters: readonly unknown[]): Promise<RpcAnswer> {
    lastId += 1;
    const body = JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params: parameters });
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(requestTimeoutMs)]);
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' });
    const text = await textOf(response);
    // Whatever the status: servers answer refused calls with 200, 400 or 500, and say so in the body.
    if (text.startsWith('{')) return JSON.parse(text) as RpcAnswer;
    throw new Error(`${response.status} ${response.statusText}`);
  }

  const request: Connection['request'] = async (method, parameters) => {
    if (ended.signal.aborted) throw new ChainError('unreachable', 'The connection to the chain is closed.');
    let answer: RpcAnswer;
    try {
      answer = await ask(method, parameters);
    } catch (cause) {
      close();
      throw new ChainError('unreachable', `The chain cannot be reached: ${reasonOf(cause)}.`, { cause });
    }
    if (answer.error !== undefined) throw RpcError.of(method, answer.error);
    return answer.result;
  };

  return {
    request,
    subscribeHeads: (listener) => pollHeads({ request, listener, clock, closed: ended.signal, close }),
    closed: ended.signal,
    close,
  };
}

async function textOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  if (body === null) return text;
  // The body of a response is bytes.
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > maxAnswerBytes) throw new Error(`its answer is longer than ${maxAnswerBytes} bytes`);
  }
  return text + decoder.decode();
}

/** The cause of a failed request, which `fetch` hides behind "fetch failed". */
function reasonOf(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return inner instanceof Error ? inner.message : String(inner);
}
