/**
 * Delivers events to other servers: one HTTP exchange at a time, within limits (docs/api.md §16,
 * docs/architecture.md §12.4).
 */
export interface Webhook {
  /**
   * Checks whether a target may be called, as far as can be known now: `refused` for a forbidden address, or a name
   * that resolves to one. A name that does not resolve now, or not in time, passes, since it may resolve later. An
   * aborted signal rejects with its reason.
   *
   * Rejects with `WebhookError`: `refused`.
   */
  check(url: string, signal?: AbortSignal): Promise<void>;

  /**
   * Makes one exchange, following at most three redirects. At each step the address is resolved, checked, and then used
   * for the connection. Resolves with the last response, whatever its status. Only the given data is sent, besides what
   * HTTP itself needs. Headers go to the given origin; after a redirect to another origin only those in `travelling`
   * are sent. The body is sent unchanged. Nothing is repeated. An aborted signal rejects with its reason.
   *
   * Rejects with `WebhookError`: any reason.
   */
  call(request: WebhookRequest): Promise<WebhookReply>;
}

export interface WebhookRequest {
  readonly url: string;
  readonly method: string;
  /** By lower-case name, checked by the caller (`domain/events/webhook-header.ts`). */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Whether to read the body of the response. If not, only the status counts, however the body ends. */
  readonly wantsBody: boolean;
  /** Limits for the whole exchange, for one connection, and for its TLS handshake. */
  readonly timeouts: { readonly requestMs: number; readonly connectionMs: number; readonly handshakeMs: number };
  readonly signal?: AbortSignal | undefined;
}

export interface WebhookReply {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty if it was not requested. */
  readonly body: Uint8Array;
}

/** Limit of a response body, if it is read. */
export const maxReplyBytes = 1_048_576;
export const maxRedirects = 3;
/** Headers that describe the body or the event; they are also sent to another origin. */
export const travelling: readonly string[] = ['content-type', 'x-parley-event'];

/**
 * `refused`: the target is forbidden, or redirects to a forbidden one, or too often. `unreachable`: no connection, or a
 * broken one. `late`: a timeout. `too_large`: the response exceeds `maxReplyBytes`.
 */
export type WebhookReason = 'refused' | 'unreachable' | 'late' | 'too_large';

/** A call without a response. Its sentence names at most the host, since paths and queries may be secret. */
export class WebhookError extends Error {
  readonly reason: WebhookReason;

  constructor(reason: WebhookReason, sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'WebhookError';
    this.reason = reason;
  }
}
