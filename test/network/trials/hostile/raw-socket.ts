import { connect, type Socket } from 'node:net';

/** A plain TCP connection to a service on loopback. */
export async function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  // A reset is an answer too; a caller that waits for more sees the connection end.
  socket.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', () => resolve());
    socket.once('error', reject);
  });
  return socket;
}

/** Sends bytes and returns what is received until the connection ends or the time is up. */
export async function converse(url: string, bytes: string | Uint8Array, waitMs: number): Promise<string> {
  const socket = await openSocket(url);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => void chunks.push(chunk));
  socket.write(bytes);
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, waitMs);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
  socket.destroy();
  return Buffer.concat(chunks).toString('latin1');
}

/** Returns the status of an HTTP answer; 0 for none. */
export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.\d (\d{3})/.exec(answer)?.[1] ?? 0);
}
