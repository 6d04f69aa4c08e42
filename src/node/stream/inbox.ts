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

  async function work(): Promise<void> {
    isBusy = true;
    for (let message = waiting.shift(); message !== undefined; message = waiting.shift()) {
      try {
        const outcome = receive(message);
        const error = outcome instanceof Promise ? await unread(outcome) : outcome;
        if (error !== undefined) refuse(error);
      } catch (error) {
        fail(error);
      }
    }
    isBusy = false;
  }

  return (data, isBinary) => {
    waiting.push({ bytes: bytesOf(data), isBinary });
    if (!isBusy) void work();
  };
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
