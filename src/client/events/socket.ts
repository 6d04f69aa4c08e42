/** Callbacks of a WebSocket. None is called after `closed`. */
export interface SocketListener {
  opened(): void;
  received(text: string): void;
  closed(end: SocketEnd): void;
}

/** The reason why a socket was closed. */
export interface SocketEnd {
  /** The reason in words. */
  readonly text: string;
  /** The HTTP status of a refused handshake. */
  readonly status?: number;
  /** The response body of a refused handshake. */
  readonly body?: string;
}

export interface Socket {
  send(text: string): void;
  /** Closes the socket; `closed` is called soon after, even if the peer does not respond. */
  close(): void;
}

/** Opens a WebSocket. The caller chooses the implementation (Node 20 has none). */
export type OpenSocket = (url: string, listener: SocketListener) => Socket;

type SocketEvent = 'opened' | { readonly text: string } | { readonly end: SocketEnd };

/** A socket whose events are read one at a time. */
export interface Connection {
  /** Resolves with the next event; after the end, always with the end. */
  next(): Promise<SocketEvent>;
  send(text: string): void;
  /** Resolves when the socket is closed and sent data is written, unless the peer does not accept it. */
  close(): Promise<void>;
}

/**
 * Opens a socket and queues its events until they are read. The queue is in memory and limited by the sender (a
 * subscription's read-ahead). An aborted signal closes the socket.
 */
export function connect(openSocket: OpenSocket, url: string, signal?: AbortSignal): Connection {
  const queue: SocketEvent[] = [];
  let ended: SocketEnd | undefined;
  let wake: (() => void) | undefined;
  let reportClosed: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    reportClosed = resolve;
  });
  const enqueue = (event: SocketEvent) => {
    if (ended !== undefined) return;
    if (typeof event === 'object' && 'end' in event) ended = event.end;
    else queue.push(event);
    wake?.();
  };
  const socket = openSocket(url, {
    opened: () => {
      enqueue('opened');
    },
    received: (text) => {
      enqueue({ text });
    },
    closed: (reason) => {
      enqueue({ end: reason });
      reportClosed();
    },
  });
  const end = () => {
    signal?.removeEventListener('abort', end);
    enqueue({ end: { text: 'closed by the client' } });
    socket.close();
  };
  if (signal?.aborted === true) end();
  else signal?.addEventListener('abort', end);
  const next = async (): Promise<SocketEvent> => {
    for (;;) {
      const event = queue.shift();
      if (event !== undefined) return event;
      if (ended !== undefined) return { end: ended };
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return {
    next,
    send: (text) => {
      socket.send(text);
    },
    close: () => {
      end();
      return closed;
    },
  };
}
