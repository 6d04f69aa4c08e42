import { PeerError } from '../../ports/data-exchange.js';

/** A conversation that either end can cut at any time. */
export interface Line {
  readonly from: string;
  readonly to: string;
  /** Rejects with the reason at once if the line is cut before the answer arrives. */
  unlessCut<Answer>(answer: Promise<Answer>): Promise<Answer>;
  /** Passes the bytes on until the line is cut. */
  through(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  cut(reason: string): void;
  /** Ends the conversation; the signal has no effect any more. */
  end(): void;
}

export interface LineOptions {
  readonly from: string;
  readonly to: string;
  /** Cuts the line, with its own reason. */
  readonly signal: AbortSignal | undefined;
}

/** Creates an intact line. */
export function createLine({ from, to, signal }: LineOptions): Line {
  const broken = createRejection();
  const abort = () => broken.reject(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  return {
    from,
    to,
    unlessCut: (answer) => Promise.race([answer, broken.promise]),
    async *through(bytes) {
      const iterator = bytes[Symbol.asyncIterator]();
      try {
        for (;;) {
          const next = await Promise.race([iterator.next(), broken.promise]);
          if (next.done === true) return;
          yield next.value;
        }
      } finally {
        // Not awaited: it would wait for bytes that are no longer wanted.
        void iterator.return?.().then(undefined, () => undefined);
      }
    },
    cut: (reason) => broken.reject(new PeerError(reason)),
    end: () => signal?.removeEventListener('abort', abort),
  };
}

/** Creates a promise that can only reject, and that causes no unhandled rejection if no caller waits for it. */
function createRejection(): { readonly promise: Promise<never>; readonly reject: (reason: unknown) => void } {
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<never>((_, rejectPromise) => {
    reject = rejectPromise;
  });
  promise.catch(() => undefined);
  return { promise, reject };
}
