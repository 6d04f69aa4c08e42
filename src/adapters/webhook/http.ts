import { type Webhook, WebhookError } from '../../ports/webhook.js';
import { exchangeOnce } from './exchange.js';
import { followRedirects } from './redirect.js';
import { type Address, type CheckTarget, createTargetCheck, type Resolve, type TargetRules } from './target.js';

export interface HttpWebhookOptions extends TargetRules {
  /** Resolves names; by default the system's. */
  readonly resolve?: Resolve | undefined;
}

/** Timeout of name resolution in a check. */
const maxLookUpMs = 2_000;

/**
 * Creates webhooks over HTTP and HTTPS, by Node's own client.
 *
 * @throws Error for an invalid rule
 */
export function createHttpWebhook({ resolve, ...rules }: HttpWebhookOptions): Webhook {
  const checkTarget = createTargetCheck(rules, resolve);
  return {
    async check(url, signal) {
      signal?.throwIfAborted();
      const ends = AbortSignal.any([AbortSignal.timeout(maxLookUpMs), ...(signal === undefined ? [] : [signal])]);
      await checkUntil(checkTarget, new URL(url), ends).catch((error: unknown) => {
        signal?.throwIfAborted();
        if (!ends.aborted && !(error instanceof WebhookError && error.reason === 'unreachable')) throw error;
      });
    },

    async call(request) {
      request.signal?.throwIfAborted();
      const { requestMs } = request.timeouts;
      const ending = new AbortController();
      const late = new WebhookError('late', `${new URL(request.url).host} did not answer within ${requestMs} ms.`);
      const timer = setTimeout(() => ending.abort(late), requestMs);
      const signal = AbortSignal.any([ending.signal, ...(request.signal === undefined ? [] : [request.signal])]);
      try {
        return await followRedirects(request, async (hop) => {
          const addresses = await checkUntil(checkTarget, hop.url, signal);
          return exchangeOnce(hop, addresses, { ...request, signal });
        });
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/**
 * Waits for a check until the signal aborts; name resolution itself cannot be aborted. @throws the reason of the signal
 */
function checkUntil(check: CheckTarget, url: URL, signal: AbortSignal): Promise<readonly Address[]> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(asError(signal.reason));
    signal.addEventListener('abort', onAbort, { once: true });
    check(url)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort));
  });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
