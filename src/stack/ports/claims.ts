import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { isErrno } from '../../supervisor/files/json-file.js';

/** The last port of a block of a hundred, on which a start listens. */
export const claimPort = 99;
/** Tells another start that the listener is a claim, not an unrelated program. */
const greeting = 'parley start\n';
const answerLimitMs = 1_000;

/**
 * The blocks of ports that a start has chosen, until its services listen there. Stacks of another home are unknown, and
 * a chosen port stays free until a service listens on it; so a start listens on the last port of the block. Claims end
 * with the process at the latest.
 */
export interface PortClaims {
  /** Claims the block that begins at `base`. Returns false if its last port is in use, or not for this user. */
  take(base: number): Promise<boolean>;

  drop(base: number): Promise<void>;
}

/** Runs work and drops the claims that it has taken. */
export async function withPortClaims<T>(work: (claims: PortClaims) => Promise<T>): Promise<T> {
  const held = new Map<number, Server>();
  const claims: PortClaims = {
    async take(base) {
      if (held.has(base)) return true;
      const server = await listenOn(base + claimPort);
      if (server !== undefined) held.set(base, server);
      return server !== undefined;
    },
    async drop(base) {
      const server = held.get(base);
      if (server === undefined) return;
      held.delete(base);
      server.close();
      await once(server, 'close');
    },
  };
  try {
    return await work(claims);
  } finally {
    for (const base of held.keys()) await claims.drop(base);
  }
}

/** Whether another start has claimed the block that begins at `base`. */
export async function isClaimed(base: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port: base + claimPort });
  const late = setTimeout(() => socket.destroy(), answerLimitMs);
  try {
    return (await text(socket)) === greeting;
  } catch {
    return false;
  } finally {
    clearTimeout(late);
    socket.destroy();
  }
}

async function listenOn(port: number): Promise<Server | undefined> {
  const server = createServer((socket) => {
    // An open connection must not delay the end of the claim.
    socket.on('error', () => undefined).end(greeting, () => socket.destroy());
  });
  try {
    server.listen({ host: '127.0.0.1', port, exclusive: true });
    await once(server, 'listening');
    return server.unref();
  } catch (error) {
    if (isErrno(error, 'EADDRINUSE', 'EACCES')) return undefined;
    throw error;
  }
}
