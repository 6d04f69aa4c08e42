/** How events reach the servers of others: one HTTP exchange at a time, within limits (S §12, assurance S18). */
export interface Webhook {
  /**
   * Whether a target may be called, as far as can be known now: `refused` for an address, or a name of one, that is
   * forbidden. A name that nobody knows now, or not in time, may be known later, and passes. An aborted signal rejects
   * with its reason.
   *
   * Rejects with `WebhookError`: `refused`.
   */
  check(url: string, signal?: AbortSignal): Promise<void>;

  /**
   * One exchange, redirects followed (at most three). Each address is looked up, checked, and connected to as it was
   * checked, at each redirect anew. Resolves with the last answer, whatever its status. Nothing goes out that was not
   * given, but for what HTTP itself needs. Headers go to the origin that was given, and after a redirect to another one
   * only those in `travelling`. Bytes of the body are sent as they are. Nothing is repeated. An aborted signal rejects
   * with its reason.
   *
   * Rejects with `WebhookError`: any reason.
   */
  call(request: WebhookRequest): Promise<WebhookReply>;
}

export interface WebhookRequest {
  readonly url: string;
  readonly method: string;
  /** By lower-case name, checked by the caller (`domain/webhook-header.ts`). */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Whether the body of the answer is wanted. Without it its status is enough, however its body ends. */
  readonly wantsBody: boolean;
  /** From the beginning to the last byte, for one connection, and for the TLS handshake on it. */
  readonly timeouts: { readonly requestMs: number; readonly connectionMs: number; readonly handshakeMs: number };
  readonly signal?: AbortSignal | undefined;
}

export interface WebhookReply {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty when it was not wanted. */
  readonly body: Uint8Array;
}

/** Of an answer, when it is wanted. */
export const maxReplyBytes = 1_048_576;
export const maxRedirects = 3;
/** Those of a call that say what its body is and which event it is for; they go along to another origin. */
export const travelling: readonly string[] = ['content-type', 'x-parley-event'];

/**
 * `refused`: the target is forbidden, or sends on to what is, or too often. `unreachable`: no connection, or one that
 * was cut. `late`: no end within a time-out. `too_large`: the answer is more than `maxReplyBytes`.
 */
export type WebhookReason = 'refused' | 'unreachable' | 'late' | 'too_large';

/** A call has brought no answer. Its sentence names the host at most, since paths and queries may be secret. */
export class WebhookError extends Error {
  readonly reason: WebhookReason;

  constructor(reason: WebhookReason, sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'WebhookError';
    this.reason = reason;
  }
}
