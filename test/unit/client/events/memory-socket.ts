import type { OpenSocket, SocketEnd, SocketListener } from '../../../../src/client/events/socket.js';

/** One connection, seen from the server. */
export interface Peer {
  readonly url: URL;
  /** The frames that the client has sent. */
  readonly received: string[];
  readonly isClosed: boolean;
  open(): void;
  send(text: string): void;
  end(end: SocketEnd): void;
}

/** Sockets without a network: each new one is passed to `accept`, in a later turn as on a network. */
export function memorySockets(accept: (peer: Peer, index: number) => void): OpenSocket {
  let opened = 0;
  return (url, listener) => {
    const index = opened++;
    const { peer, socket } = connection(url, listener);
    queueMicrotask(() => {
      accept(peer, index);
    });
    return socket;
  };
}

function connection(url: string, listener: SocketListener) {
  const received: string[] = [];
  let isClosed = false;
  const end = (reason: SocketEnd) => {
    if (isClosed) return;
    isClosed = true;
    listener.closed(reason);
  };
  const peer: Peer = {
    url: new URL(url),
    received,
    get isClosed() {
      return isClosed;
    },
    open: () => {
      listener.opened();
    },
    send: (text) => {
      if (!isClosed) listener.received(text);
    },
    end,
  };
  const socket = {
    send: (text: string) => {
      received.push(text);
    },
    close: () => {
      end({ text: 'closed' });
    },
  };
  return { peer, socket };
}
