import type { RawData } from 'ws';

/** A message received from a client. */
export interface Inbound {
  readonly bytes: Uint8Array;
  readonly isBinary: boolean;
}

export interface InboxParts {
  /** Handles a message; resolves when the next one may follow. A returned text is the error to refuse it with. */
  readonly receive: (message: Inbound) => string | undefined | Promise<string | undefined>;
  readonly refuse: (error: string) => void;
  /** Called with an error that is not the client's fault. */
  readonly fail: (error: unknown) => void;
  /** Stops reading the socket until `resume`. */
  readonly pause: () => void;
  readonly resume: () => void;
}

/**
 * Creates the queue that handles messages one after the other, since an acknowledgement depends on the `start` before
 * it. While one is handled asynchronously the socket is not read, so the queue only holds messages that arrived
 * together with it.
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

  /** Awaits an asynchronous outcome, then handles the messages that have arrived meanwhile. */
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

  /** Handles a message, synchronously in nearly all cases, which avoids a promise. */
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
