/** What a WebSocket tells its owner. After `closed` nothing more is said. */
export interface SocketListener {
  opened(): void;
  received(text: string): void;
  closed(end: SocketEnd): void;
}

/** Why a socket is at its end. */
export interface SocketEnd {
  /** What happened, in words. */
  readonly text: string;
  /** The HTTP status when the handshake was refused. */
  readonly status?: number;
  /** The body of that refusal. */
  readonly body?: string;
}

export interface Socket {
  send(text: string): void;
  /** `closed` is said soon after, also when the other end does not answer. */
  close(): void;
}

/** Opens a WebSocket; the platform's class behind it is the caller's choice (Node 20 has none of its own). */
export type OpenSocket = (url: string, listener: SocketListener) => Socket;

type Happening = 'opened' | { readonly text: string } | { readonly end: SocketEnd };

/** A socket to read from step by step. */
export interface Connection {
  /** The next thing that happens; the end repeats for ever. */
  next(): Promise<Happening>;
  send(text: string): void;
  /** Resolves when the socket is gone; what was sent before has gone out unless the other end does not take it. */
  close(): Promise<void>;
}

/**
 * Turns the callbacks of a socket into steps. What has come and is not read yet waits in memory: the sender keeps it
 * short (a subscription's read-ahead). An aborted signal ends it.
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
