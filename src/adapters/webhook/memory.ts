import {
  maxReplyBytes,
  type Webhook,
  WebhookError,
  type WebhookReason,
  type WebhookReply,
  type WebhookRequest,
} from '../../ports/webhook.js';
import { kindOf } from './address.js';
import { followRedirects, type Hop } from './redirect.js';

/** A call as a target receives it. */
export interface ReceivedCall {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A target: it responds to a call, or fails for a reason. */
export type Target = (call: ReceivedCall, signal?: AbortSignal) => Promise<TargetReply | WebhookReason>;

export interface TargetReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Servers in this process, by origin, such as `http://orders.example`. */
export interface MemoryTargets {
  serve(origin: string, target: Target): void;
  remove(origin: string): void;
  connect(): Webhook;
}

/** Creates targets in this process. Names are not resolved; addresses are judged as usual. */
export function createMemoryTargets(): MemoryTargets {
  const targets = new Map<string, Target>();

  function check(url: URL): void {
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    const isAddress = /^[\d.]+$/.test(host) || host.includes(':');
    const isPlain = ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === '';
    if (isPlain && (!isAddress || kindOf(host) === 'public')) return;
    throw new WebhookError('refused', `A webhook may not call ${url.host}.`);
  }

  async function exchange(hop: Hop, request: WebhookRequest): Promise<WebhookReply> {
    const { url, method, headers, body = '' } = hop;
    check(url);
    const target = targets.get(url.origin);
    if (target === undefined) throw new WebhookError('unreachable', `${url.host} cannot be reached.`);
    const call = { url: url.href, method, headers: { ...headers }, body };
    const reply = await untilAborted(request, (signal) => target(call, signal));
    if (typeof reply === 'string') throw new WebhookError(reply, `${url.host} brought no answer: ${reply}.`);
    const bytes = typeof reply.body === 'string' ? Buffer.from(reply.body) : (reply.body ?? new Uint8Array());
    if (request.wantsBody && bytes.length > maxReplyBytes) {
      throw new WebhookError('too_large', `The reply of the webhook has more than ${maxReplyBytes} bytes.`);
    }
    return {
      status: reply.status,
      headers: { ...reply.headers },
      body: request.wantsBody ? new Uint8Array(bytes) : new Uint8Array(),
    };
  }

  return {
    serve: (origin, target) => void targets.set(new URL(origin).origin, target),
    remove: (origin) => void targets.delete(new URL(origin).origin),
    connect: () => ({
      async check(url, signal) {
        signal?.throwIfAborted();
        check(new URL(url));
      },
      async call(request) {
        request.signal?.throwIfAborted();
        return followRedirects(request, (hop) => exchange(hop, request));
      },
    }),
  };
}

/** Time does not pass here: a target returns `late` itself, and only the signal ends a waiting call. */
function untilAborted<T>({ signal }: WebhookRequest, work: (signal?: AbortSignal) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'));
    signal?.addEventListener('abort', onAbort, { once: true });
    work(signal)
      .then(resolve, reject)
      .finally(() => signal?.removeEventListener('abort', onAbort));
  });
}
