import type { Transport } from '../../client/transport.js';
import { type Agents, createAgents, shortUnusedMs } from './agents.js';
import { openRequest } from './request.js';

/** As long as `fetch` waits for a response, or for more of one: a confirmation may take minutes. */
const idleMs = 300_000;

/**
 * Creates the transport of a node's client over Node's own `http`. Default: agents with Node's own trusted authorities.
 */
export function createTransport(agents: Agents = createAgents({ maxUnusedMs: shortUnusedMs })): Transport {
  return async (request) => {
    const { status, headers, body, collect } = await openRequest({ ...request, agents, limits: { idleMs } });
    return { status, headers: valuesOf(headers), body, bytes: () => collect(Infinity) };
  };
}

function valuesOf(headers: Readonly<Record<string, string | readonly string[] | undefined>>): Map<string, string> {
  const values = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, [value].flat().join(', ')]],
  );
  return new Map(values);
}
