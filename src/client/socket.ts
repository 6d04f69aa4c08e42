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
  close(): void;
}

/**
 * Turns the callbacks of a socket into steps. What has come and is not read yet waits in memory: the sender keeps it
 * short (a subscription's read-ahead). An aborted signal ends it.
 */
export function connect(openSocket: OpenSocket, url: string, signal?: AbortSignal): Connection {
  const waiting: Happening[] = [];
  let end: SocketEnd | undefined;
  let wake: (() => void) | undefined;
  const arrived = (happening: Happening) => {
    if (end !== undefined) return;
    if (typeof happening === 'object' && 'end' in happening) end = happening.end;
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
    },
  });
  const close = () => {
    signal?.removeEventListener('abort', close);
    arrived({ end: { text: 'closed by us' } });
    socket.close();
  };
  if (signal?.aborted === true) close();
  else signal?.addEventListener('abort', close);
  const next = async (): Promise<Happening> => {
    for (;;) {
      const happening = waiting.shift();
      if (happening !== undefined) return happening;
      if (end !== undefined) return { end };
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
    close,
  };
}
