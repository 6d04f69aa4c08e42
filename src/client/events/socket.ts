/** Callbacks of a WebSocket. None is called after `closed`. */
export interface SocketListener {
  opened(): void;
  received(text: string): void;
  closed(end: SocketEnd): void;
}

/** The reason why a socket was closed. */
export interface SocketEnd {
  /** A description of what happened. */
  readonly text: string;
  /** The HTTP status of a refused handshake. */
  readonly status?: number;
  /** The response body of a refused handshake. */
  readonly body?: string;
}

export interface Socket {
  send(text: string): void;
  /** Closes the socket; `closed` is called soon after, even if the other end does not respond. */
  close(): void;
}

/** Opens a WebSocket. The caller chooses the implementation (Node 20 has none of its own). */
export type OpenSocket = (url: string, listener: SocketListener) => Socket;

type Happening = 'opened' | { readonly text: string } | { readonly end: SocketEnd };

/** A socket that is read step by step. */
export interface Connection {
  /** Resolves with the next occurrence; the end is repeated for ever. */
  next(): Promise<Happening>;
  send(text: string): void;
  /** Resolves when the socket is closed; data sent before has gone out unless the other end does not accept it. */
  close(): Promise<void>;
}

/**
 * Converts the callbacks of a socket to steps. Unread occurrences are kept in memory; the sender limits them (a
 * subscription's read-ahead). An aborted signal closes the socket.
 */
export function connect(openSocket: OpenSocket, url: string, signal?: AbortSignal): Connection {
  const waiting: Happening[] = [];
  let ended: SocketEnd | undefined;
  let wake: (() => void) | undefined;
  let leave: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const arrived = (happening: Happening) => {
    if (ended !== undefined) return;
    if (typeof happening === 'object' && 'end' in happening) ended = happening.end;
    else waiting.push(happening);
    wake?.();
  };
  const socket = openSocket(url, {
    opened: () => {
      arrived('opened');
    },
    received: (text) => {
      arrived({ text });
    },
    closed: (reason) => {
      arrived({ end: reason });
      leave();
    },
  });
  const end = () => {
    signal?.removeEventListener('abort', end);
    arrived({ end: { text: 'closed by us' } });
    socket.close();
  };
  if (signal?.aborted === true) end();
  else signal?.addEventListener('abort', end);
  const next = async (): Promise<Happening> => {
    for (;;) {
      const happening = waiting.shift();
      if (happening !== undefined) return happening;
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
      return gone;
    },
  };
}
