import type { OpenSocket } from '../../../src/client/events/socket.js';

/** Opens the browser's WebSocket for the client. Browsers do not report the status of a refused handshake. */
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
