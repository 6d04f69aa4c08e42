import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type RawData, WebSocket, WebSocketServer } from 'ws';

/** A proxy between a node and its chain. Its address stays while the chain behind it comes and goes. */
export interface ChainProxy {
  readonly url: string;
  /** Drops the next reply to a transaction, and ends the connection. */
  loseReply(): void;
  /** Ends all connections. */
  cut(): void;
  close(): Promise<void>;
}

/** `target` is called for each new connection. */
export async function openProxy(target: () => string): Promise<ChainProxy> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  // `address()` is a string only for pipes.
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
      // `close` follows an error.
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
  // `ws` passes one Buffer by default.
  return (data as Buffer).toString();
}
