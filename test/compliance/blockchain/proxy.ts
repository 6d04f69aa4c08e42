import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type RawData, WebSocket, WebSocketServer } from 'ws';

/** Stands between a node and its chain, at an address that stays while the chain behind it comes and goes. */
export interface ChainProxy {
  readonly url: string;
  /** The next reply to a transaction is swallowed, and the connection ends. */
  loseReply(): void;
  /** Ends all connections now. */
  cut(): void;
  close(): Promise<void>;
}

/** `target` is asked for each new connection. */
export async function openProxy(target: () => string): Promise<ChainProxy> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  // `address()` is a text for pipes only.
  const { port } = server.address() as AddressInfo;
  let repliesToLose = 0;

  server.on('connection', (client) => {
    const waiting: string[] = [];
    let lostId: number | undefined;
    const chain = new WebSocket(target().replace('http', 'ws'));
    const end = (): void => {
      client.terminate();
      chain.terminate();
    };
    client.on('message', (data) => {
      const text = textOf(data);
      const { id, method }: { id: number; method: string } = JSON.parse(text);
      if (method === 'eth_sendRawTransaction' && repliesToLose > 0) {
        repliesToLose -= 1;
        lostId = id;
      }
      if (chain.readyState === WebSocket.OPEN) chain.send(text);
      else waiting.push(text);
    });
    chain.on('open', () => {
      for (const text of waiting.splice(0)) chain.send(text);
    });
    chain.on('message', (data) => {
      const { id }: { id?: number } = JSON.parse(textOf(data));
      if (id !== undefined && id === lostId) end();
      else client.send(textOf(data));
    });
    for (const socket of [client, chain]) {
      socket.on('close', end);
      // The end follows an error.
      socket.on('error', end);
    }
  });

  const cut = (): void => {
    for (const client of server.clients) client.terminate();
  };
  return {
    url: `ws://127.0.0.1:${port}`,
    loseReply() {
      repliesToLose += 1;
    },
    cut,
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function textOf(data: RawData): string {
  // `ws` gives one Buffer unless it is told otherwise.
  return (data as Buffer).toString();
}
