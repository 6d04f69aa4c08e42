import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';

/** Kept-alive connections, by the protocol of a URL. */
export interface Agents {
  readonly plain?: Agent;
  readonly secure?: SecureAgent;
}

/** Agents of one owner. */
export interface OwnAgents extends Required<Agents> {
  /** Closes all connections. */
  close(): void;
}

interface AgentsOptions {
  /** Maximum number of concurrent connections to one server; further requests wait. Default: unlimited. */
  readonly maxConnections?: number;
  /** An unused connection is closed after this time: a request on one that the server is closing would fail. */
  readonly maxUnusedMs?: number;
}

/** For external servers, which often keep unused connections for 5 s. */
export const shortUnusedMs = 4_000;
/** Shorter than Parley's own servers keep unused connections. */
const defaultUnusedMs = 60_000;

/** Creates agents without connections. The connection used last is reused first, so that the others can be closed. */
export function createAgents({
  maxConnections = Infinity,
  maxUnusedMs = defaultUnusedMs,
}: AgentsOptions = {}): OwnAgents {
  const options = { keepAlive: true, maxSockets: maxConnections, timeout: maxUnusedMs, scheduling: 'lifo' } as const;
  const plain = new Agent(options);
  const secure = new SecureAgent(options);
  return {
    plain,
    secure,
    close: () => {
      plain.destroy();
      secure.destroy();
    },
  };
}
