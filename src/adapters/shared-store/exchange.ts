import { createAgents } from '../../http/client/agents.js';
import { BodyError } from '../../http/client/body.js';
import { TimeoutError } from '../../http/client/limits.js';
import { type HttpRequest, openRequest } from '../../http/client/request.js';
import { discard, type HttpResponse, ResponseTooLargeError } from '../../http/client/response.js';
import { StoreError } from '../../ports/shared-store.js';

type StoreRequest = Pick<HttpRequest, 'url' | 'method' | 'headers' | 'body' | 'signal'>;

export interface StoreAnswer {
  readonly status: number;
  /** Empty unless the status is 200; other bodies are ignored. */
  readonly bytes: Uint8Array;
}

export type StreamAnswer = Pick<HttpResponse, 'status' | 'headers' | 'body'>;

/**
 * Makes requests to the shared store, over kept-alive connections. All throw StoreError `later` at a time limit and
 * `unreachable`; a body that cannot be read rejects with its own error, and an aborted signal with its reason.
 */
export interface StoreExchange {
  /** Exchanges content that fits in memory, in limited time. @throws StoreError `too_large`: reading stops there */
  whole(request: StoreRequest, maxBytes: number): Promise<StoreAnswer>;
  /** Exchanges content of any size, as long as there is progress. The body of the response must be read or ended. */
  stream(request: StoreRequest): Promise<StreamAnswer>;
}

const maxReasonBytes = 65_536;
const nothing = new Uint8Array();

export function createStoreExchange(totalMs: number, idleMs: number): StoreExchange {
  const agents = createAgents();
  return {
    async whole(request, maxBytes) {
      try {
        const response = await openRequest({ ...request, agents, limits: { totalMs } });
        const { status } = response;
        if (status === 200) return { status, bytes: await response.collect(maxBytes) };
        // The reason of a failure, if it arrives; the status alone is enough.
        if (status >= 500) return { status, bytes: await response.collect(maxReasonBytes).catch(() => nothing) };
        void discard(response);
        return { status, bytes: nothing };
      } catch (error) {
        throw storeErrorOf(error, request);
      }
    },

    async stream(request) {
      try {
        const { status, headers, body } = await openRequest({ ...request, agents, limits: { idleMs } });
        return { status, headers, body: translated(body, request) };
      } catch (error) {
        throw storeErrorOf(error, request);
      }
    },
  };
}

async function* translated(body: AsyncIterable<Uint8Array>, request: StoreRequest): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw storeErrorOf(error, request);
  }
}

/** Converts the error of a request to one of the port. */
function storeErrorOf(error: unknown, { signal }: StoreRequest): unknown {
  if (signal?.aborted === true) return signal.reason;
  if (error instanceof BodyError) return error.cause;
  if (error instanceof ResponseTooLargeError) {
    return new StoreError('too_large', `The content has more than ${error.maxBytes} bytes.`);
  }
  if (!(error instanceof TimeoutError)) {
    return new StoreError('unreachable', 'The shared store cannot be reached.', { cause: error });
  }
  const did = error.limit === 'idleMs' ? 'go on' : 'answer';
  return new StoreError('later', `The shared store did not ${did} in time.`);
}
