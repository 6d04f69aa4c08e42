import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { isErrno } from '../../supervisor/files/json-file.js';

/** The last port of a block of a hundred, on which a start listens. */
export const claimPort = 99;
/** Says to another start that the port is listened on for a claim, not by a program that happens to have it. */
const greeting = 'parley start\n';
const answerLimitMs = 1_000;

/**
 * The blocks of ports that a start has chosen, until its services listen there. A home knows nothing of the stacks of
 * another one, and a chosen port is free for all until somebody listens on it; so a start listens on the last port of
 * the block. Claims end with the process at the latest.
 */
export interface PortClaims {
  /** Claims the block that begins at `base`. Returns false if somebody else has it, or cannot be kept from it. */
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
    // A caller that stays must not keep the claim from ending.
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
