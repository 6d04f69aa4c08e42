import type { Clock } from '../../ports/clock.js';

/** What an outflow needs of a WebSocket. */
export interface TextSink {
  /** Calls back when the system has taken the text, which is in UTF-8, or will not any more. */
  readonly send: (text: Buffer, taken: () => void) => void;
  /** Holds back what is sent until `uncork`, to write it at once. */
  readonly cork: () => void;
  readonly uncork: () => void;
}

/** What is on its way to one client, of all subscriptions of its socket. */
export interface Outflow {
  /**
   * Takes a text, in the order of the calls. Undefined when it is taken at once, or dropped because the outflow is
   * closed; else resolves when that is so: what waits for room is not rendered yet. What goes wrong while a text is
   * rendered is told to whoever puts it.
   */
  put(text: () => string): Promise<void> | undefined;
  /** Lets flow: the handshake has ended. */
  open(sink: TextSink): void;
  /** Drops what has not left. */
  close(): void;
  /** Since when nothing has left although there is no room, on the monotonic clock; undefined while there is room. */
  stalledSinceMs(): number | undefined;
}

/** With so much waiting for a client, its subscriptions pause (S §11.5). */
export const maxBufferedBytes = 8 * 1024 * 1024;
/**
 * How much of it the socket has at a time. The system tells of a whole write only: in small ones a slow reader is told
 * from one who does not read, and a ping does not stand behind all that waits.
 */
const maxWrittenBytes = 256 * 1024;

interface Waiting {
  /** Takes its text now. */
  readonly proceed: () => void;
  readonly giveUp: () => void;
}

/** The way to a client whose handshake may still be under way. */
export function createOutflow(clock: Clock): Outflow {
  /** As bytes, which are outside the heap: that lets itself grow by several times what is kept in it. */
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
      // Until now there was room, so nobody can have stalled.
      if (isFirst) movedMs = clock.monotonicMs();
      // What goes wrong in it becomes a rejection.
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

/** Of what is sent in one go: the other end works on the first of it while the next is made. */
const maxTogetherBytes = 16 * 1024;

/** A call of the system costs more than a frame: what is sent in one go shares one, or few. */
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
