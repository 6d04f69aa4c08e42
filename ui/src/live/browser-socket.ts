import type { OpenSocket } from '../../../src/client/events/socket.js';

/** The browser's WebSocket behind the seam of the client. A refused handshake has no status here, by the platform. */
export const openBrowserSocket: OpenSocket = (url, listener) => {
  const socket = new WebSocket(url);
  socket.addEventListener('open', () => listener.opened());
  socket.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') listener.received(data);
  });
  socket.addEventListener('close', ({ code, reason }) => {
    listener.closed({ text: reason === '' ? `the connection was closed (${code})` : reason });
  });
  return {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: () => socket.close(),
  };
};
