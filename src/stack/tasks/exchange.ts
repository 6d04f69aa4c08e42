import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Static, Type } from '@sinclair/typebox';
import { createAgents } from '../../http/client/agents.js';
import { openRequest } from '../../http/client/request.js';
import { readText } from '../../http/client/response.js';
import { pinnedTo } from '../../http/client/trust.js';
import { isErrno, readShape } from '../../supervisor/files/json-file.js';

const agents = createAgents();
const answerLimitMs = 10_000;
const maxAnswerBytes = 16_777_216;

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export interface ExchangeOptions {
  readonly body?: unknown;
  readonly token?: string | undefined;
  /** The file of the certificate that the service must present, for an `https:` URL. */
  readonly certificateFile?: string | undefined;
  /** The whole header, for other credentials. */
  readonly authorization?: string | undefined;
  /** Limit of the whole exchange; default: 10 s. */
  readonly limitMs?: number;
}

/** Makes one HTTP request to a service of the stack, over kept-alive connections. */
export async function exchange(
  method: 'GET' | 'POST',
  url: string,
  { body, token, authorization, certificateFile, limitMs = answerLimitMs }: ExchangeOptions = {},
): Promise<Answer> {
  const headers = {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(authorization !== undefined && { authorization }),
  };
  const response = await openRequest({
    method,
    url,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
    agents,
    tls: certificateFile === undefined ? {} : pinnedTo([await readFile(certificateFile, 'utf8')]),
    limits: { totalMs: limitMs },
  });
  return { status: response.status, text: await readText(response, maxAnswerBytes) };
}

const RpcAnswer = Type.Object({
  result: Type.Optional(Type.Unknown()),
  // Null from servers that write the member without an error.
  error: Type.Optional(
    Type.Union([Type.Null(), Type.Object({ message: Type.String(), code: Type.Optional(Type.Number()) })]),
  ),
});

/** The chain refuses a call, or does not know it. */
export class RpcRefusal extends Error {
  constructor(
    method: string,
    reason: string,
    readonly code?: number,
  ) {
    super(`The chain refused ${method}: ${reason}`);
    this.name = 'RpcRefusal';
  }
}

const unknownMethodCode = -32_601;
const unsupportedCode = -32_004;

/** Whether a chain has refused a call because it does not have, or does not allow, the method. */
export function isUnknownMethod({ code, message }: RpcRefusal): boolean {
  if (code === unknownMethodCode || code === unsupportedCode) return true;
  return /method.*(not (found|available|supported|allowed)|does not exist|unsupported|disabled)/i.test(message);
}

/** The `authorization` header for credentials in a file: a token, or user:password. */
export async function authorizationIn(path: string): Promise<string> {
  const text = (await readFile(path, 'utf8')).trim();
  return text.includes(':') ? `Basic ${Buffer.from(text).toString('base64')}` : `Bearer ${text}`;
}

/** Creates a JSON-RPC caller of the chain. @throws RpcRefusal with the chain's message */
export function createRpcCaller(
  url: string,
  credentials?: string | Pick<ExchangeOptions, 'authorization' | 'limitMs'>,
): (method: string, ...parameters: readonly unknown[]) => Promise<unknown> {
  let id = 0;
  return async (method, ...params) => {
    id += 1;
    const given = typeof credentials === 'string' ? { token: credentials } : credentials;
    const { status, text } = await exchange('POST', url, { body: { jsonrpc: '2.0', id, method, params }, ...given });
    const { result, error = null } = readAnswer(text, method, status);
    if (error !== null) throw new RpcRefusal(method, error.message, error.code);
    return result;
  };
}

/** A gateway before the chain answers with a page, or with other JSON. @throws Error with the status of a failure */
function readAnswer(text: string, method: string, status: number): Static<typeof RpcAnswer> {
  try {
    const answer = readShape(RpcAnswer, text, `The chain's answer to ${method}`);
    if ('result' in answer || 'error' in answer) return answer;
    throw new Error(`The chain's answer to ${method} has neither a result nor an error.`);
  } catch (cause) {
    if (status < 400) throw cause;
    throw new Error(`The server of the chain answered ${method} with the status ${status}.`, { cause });
  }
}

const retryMs = 50;

/**
 * Repeats idempotent work until it completes without a broken connection, since the other end may be killed and
 * restarted. The supervisor sets the time limit.
 */
export async function untilConnected<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isBroken = isErrno(error, 'ECONNREFUSED', 'ECONNRESET', 'EPIPE');
      if (!isBroken) throw error;
      await sleep(retryMs);
    }
  }
}
