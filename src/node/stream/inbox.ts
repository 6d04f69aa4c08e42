import type { RawData } from 'ws';

/** One message of a client, as it came. */
export interface Inbound {
  readonly bytes: Uint8Array;
  readonly isBinary: boolean;
}

export interface InboxParts {
  /** Does what a message says; resolves when the next one may follow. It never rejects. */
  readonly receive: (message: Inbound) => Promise<void> | undefined;
  /** The socket is not read until `resume`. */
  readonly pause: () => void;
  readonly resume: () => void;
}

/**
 * Messages one after the other: an acknowledgement is judged by what the `start` before it has begun. While one takes
 * its time the socket is not read, so what waits here is what had come with it, and no more.
 */
export function createInbox({ receive, pause, resume }: InboxParts): (data: RawData, isBinary: boolean) => void {
  const waiting: Inbound[] = [];
  let isBusy = false;

  async function work(): Promise<void> {
    isBusy = true;
    for (let message = waiting.shift(); message !== undefined; message = waiting.shift()) {
      const working = receive(message);
      if (working === undefined) continue;
      pause();
      await working;
      resume();
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
