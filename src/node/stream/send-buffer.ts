import type { Clock } from '../../ports/clock.js';

/** The part of a WebSocket that a send buffer uses. */
export interface TextSink {
  /** Sends UTF-8 text; calls back when the system has accepted it, or never will. */
  readonly send: (text: Buffer, taken: () => void) => void;
  /** Buffers further sends until `uncork`, which writes them at once. */
  readonly cork: () => void;
  readonly uncork: () => void;
}

/** Frames queued for one client, across all subscriptions of its socket. */
export interface SendBuffer {
  /**
   * Queues a frame. Frames leave in call order. Returns undefined if it was queued at once, or dropped because the
   * buffer is closed; otherwise resolves when that happens: a frame that waits for room is not rendered yet. An error
   * while rendering is passed to the caller.
   */
  put(text: () => string): Promise<void> | undefined;
  /** Starts sending, after the handshake. */
  open(sink: TextSink): void;
  /** Drops everything that was not sent. */
  close(): void;
  /**
   * Time since which nothing was sent although the buffer is full, on the monotonic clock; undefined if it is not full.
   */
  stalledSinceMs(): number | undefined;
}

/** Size of the buffer at which the subscriptions of a client pause (docs/api.md §15.5). */
export const maxBufferedBytes = 8 * 1024 * 1024;
/**
 * Limit on the bytes passed to the socket at a time. The system reports only complete writes: small ones make it
 * possible to distinguish a slow reader from one that does not read, and a ping does not wait behind the whole buffer.
 */
const maxWrittenBytes = 256 * 1024;

interface Waiting {
  /** Queues its frame. */
  readonly proceed: () => void;
  readonly giveUp: () => void;
}

/** Creates the send buffer of a client whose handshake may still be in progress. */
export function createSendBuffer(clock: Clock): SendBuffer {
  /** As bytes, which are outside the heap; on the heap the same text would take several times the memory. */
  const queue: Buffer[] = [];
  const waiting: Waiting[] = [];
  let send: TextSink['send'] | undefined;
  let isClosed = false;
  let queuedBytes = 0;
  let writtenBytes = 0;
  let movedMs = clock.monotonicMs();

  const hasRoom = (): boolean => queuedBytes + writtenBytes < maxBufferedBytes;

  function take(text: () => string): void {
    const rendered = Buffer.from(text());
    queuedBytes += rendered.length;
    queue.push(rendered);
    flow();
  }

  function flow(): void {
    if (send === undefined) return;
    while (writtenBytes < maxWrittenBytes) {
      const text = queue.shift();
      if (text === undefined) return;
      const sizeBytes = text.length;
      queuedBytes -= sizeBytes;
      writtenBytes += sizeBytes;
      send(text, () => {
        left(sizeBytes);
      });
    }
  }

  function left(sizeBytes: number): void {
    writtenBytes -= sizeBytes;
    movedMs = clock.monotonicMs();
    if (isClosed) return;
    while (waiting.length > 0 && hasRoom()) waiting.shift()?.proceed();
    flow();
  }

  return {
    put(text) {
      if (isClosed) return undefined;
      const isFirst = waiting.length === 0;
      if (isFirst && hasRoom()) {
        take(text);
        return undefined;
      }
      // There was room until now, so nothing can have stalled.
      if (isFirst) movedMs = clock.monotonicMs();
      // An error in it becomes a rejection.
      const takeIt = async (): Promise<void> => take(text);
      return new Promise((taken) => {
        waiting.push({ proceed: () => taken(takeIt()), giveUp: taken });
      });
    },
    open(sink) {
      send = sendTogether(sink);
      flow();
    },
    close() {
      isClosed = true;
      queue.length = 0;
      queuedBytes = 0;
      for (const { giveUp } of waiting.splice(0)) giveUp();
    },
    stalledSinceMs: () => (waiting.length === 0 ? undefined : movedMs),
  };
}

/** Maximum size of a combined write: the client can process the first frames while the next are produced. */
const maxTogetherBytes = 16 * 1024;

/**
 * Combines the frames that are sent in one turn into one write or a few, since a system call costs more than a frame.
 */
function sendTogether({ send, cork, uncork }: TextSink): TextSink['send'] {
  let isCorked = false;
  let corkedBytes = 0;
  return (text, taken) => {
    if (!isCorked) {
      isCorked = true;
      cork();
      process.nextTick(() => {
        isCorked = false;
        corkedBytes = 0;
        uncork();
      });
    } else if (corkedBytes >= maxTogetherBytes) {
      corkedBytes = 0;
      uncork();
      cork();
    }
    corkedBytes += text.length;
    send(text, taken);
  };
}
