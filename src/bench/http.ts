import type { Agent as SecureAgent } from 'node:https';
import { UnreachableError } from '../client/errors.js';
import type { HeadersOf } from '../client/headers.js';
import { type Agents, createAgents } from '../http/client/agents.js';
import { type HttpRequest, openRequest } from '../http/client/request.js';
import type { HttpResponse } from '../http/client/response.js';

/** Returns the agent for an address with a private certificate; undefined: Node's own trust applies. */
export type AgentOf = (url: string) => SecureAgent | undefined;

/** Credentials and certificates for requests to nodes. */
export interface HttpAccess {
  readonly headersOf?: HeadersOf | undefined;
  readonly agentOf?: AgentOf | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly bytes: Buffer;
}

export interface NodeRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** JSON text. */
  readonly body?: string;
}

export interface HttpClient {
  /**
   * Makes one request; resolves with the response, whatever its status.
   *
   * @throws UnreachableError if it is not complete within the timeout
   */
  exchange(url: string, how?: NodeRequest): Promise<HttpAnswer>;
  /** Reads an address. @throws Error if the status is not 200 */
  get(url: string): Promise<Buffer>;
  /** Makes a JSON-RPC call. @throws Error if the response is not a result */
  rpc(url: string, method: string, params: readonly unknown[]): Promise<unknown>;
  close(): void;
}

/** The limit of kept-alive connections per service: enough that a slow response delays no other. */
const maxConnections = 128;

/** Larger than any response of a node. */
const maxAnswerBytes = 1_073_741_824;

/** Starts a request to a node, with its credential and certificate. @throws as `openRequest` */
export function openNodeRequest(
  request: HttpRequest & { readonly url: string; readonly agents: Agents },
  { headersOf, agentOf }: HttpAccess,
): Promise<HttpResponse> {
  const { url, headers, agents } = request;
  const secure = agentOf?.(url);
  return openRequest({
    ...request,
    headers: { ...headersOf?.(url), ...headers },
    agents: secure === undefined ? agents : { ...agents, secure },
  });
}

/** A minimal client with kept-alive connections, since a load driver must use little CPU itself. */
export function createHttpClient({
  timeoutMs = 30_000,
  ...access
}: HttpAccess & { readonly timeoutMs?: number } = {}): HttpClient {
  const agents = createAgents({ maxConnections });
  const limits = { idleMs: timeoutMs };

  const exchange: HttpClient['exchange'] = async (url, { method = 'GET', body } = {}) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    try {
      const response = await openNodeRequest({ url, method, headers, body, agents, limits }, access);
      return { status: response.status, bytes: await response.collect(maxAnswerBytes) };
    } catch (error) {
      throw new UnreachableError(url, error, method);
    }
  };

  async function get(url: string): Promise<Buffer> {
    const { status, bytes } = await exchange(url);
    if (status !== 200)
      throw new Error(`GET ${url} failed with status ${status}: ${bytes.toString('utf8').slice(0, 300)}`);
    return bytes;
  }

  return {
    exchange,
    get,
    async rpc(url, method, params) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const { bytes } = await exchange(url, { method: 'POST', body });
      const answer: unknown = JSON.parse(bytes.toString('utf8'));
      if (typeof answer === 'object' && answer !== null && 'result' in answer) return answer.result;
      throw new Error(`${method} failed: ${bytes.toString('utf8').slice(0, 300)}`);
    },
    close: () => agents.close(),
  };
}
