import type { RawData } from 'ws';

/** One message of a client, as it came. */
export interface Inbound {
  readonly bytes: Uint8Array;
  readonly isBinary: boolean;
}

export interface InboxParts {
  /** Does what a message says; resolves when the next one may follow. A text is the error to refuse it with. */
  readonly receive: (message: Inbound) => string | undefined | Promise<string | undefined>;
  readonly refuse: (error: string) => void;
  /** Told of what is not the client's fault. */
  readonly fail: (error: unknown) => void;
  /** The socket is not read until `resume`. */
  readonly pause: () => void;
  readonly resume: () => void;
}

/**
 * Messages one after the other: an acknowledgement is judged by what the `start` before it has begun. While one takes
 * its time the socket is not read, so what waits here is what had come with it, and no more.
 */
export function createInbox(parts: InboxParts): (data: RawData, isBinary: boolean) => void {
  const { receive, refuse, fail, pause, resume } = parts;
  const waiting: Inbound[] = [];
  let isBusy = false;

  async function unread<T>(outcome: Promise<T>): Promise<T> {
    pause();
    try {
      return await outcome;
    } finally {
      resume();
    }
  }

  /** What takes its time, and then what has come meanwhile. */
  async function finish(outcome: Promise<string | undefined>): Promise<void> {
    isBusy = true;
    try {
      judge(await unread(outcome));
    } catch (error) {
      fail(error);
    }
    isBusy = false;
    for (let message = waiting.shift(); message !== undefined; message = waiting.shift()) {
      work(message);
      if (isBusy) return;
    }
  }

  /** Nearly all that comes is done at once: it costs no promise. */
  function work(message: Inbound): void {
    try {
      const outcome = receive(message);
      if (outcome instanceof Promise) void finish(outcome);
      else judge(outcome);
    } catch (error) {
      fail(error);
    }
  }

  function judge(error: string | undefined): void {
    if (error !== undefined) refuse(error);
  }

  return (data, isBinary) => {
    const message = { bytes: bytesOf(data), isBinary };
    if (isBusy) waiting.push(message);
    else work(message);
  };
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
