import type { Log } from '../../ports/log.js';
import { readTails } from '../files/logs.js';
import { readMemory } from '../machine/memory.js';
import { answerPause } from '../services/pause-call.js';
import type { Plan } from '../plan.js';
import { type Call, openSocketServer, sendJson, type SocketServer } from './socket-server.js';
import type { Supervisor } from '../supervisor.js';

/** A node of the stack, as the joined queries see it. */
export interface ViewedParty {
  readonly name: string;
  readonly url: string;
  /** The file of its certificate; absent for plain HTTP. */
  readonly certificateFile?: string;
}

/**
 * Queries the nodes of a stack about one subject, for the explorer of a party; undefined for an unknown path. Its
 * implementation is passed in, because the supervisor does not depend on the API of nodes.
 */
export type Joins = (path: string, parameters: URLSearchParams, parties: readonly ViewedParty[]) => Promise<unknown>;

/** Loads the joined queries on first use: most stacks never need their memory. */
export type LoadJoins = () => Promise<Joins>;

interface ViewOptions {
  readonly socket: string;
  readonly supervisor: Supervisor;
  readonly loadJoins: LoadJoins;
  readonly log: Log;
}

const maxLines = 1_000;

/**
 * Serves the explorers' view of the whole stack: `GET /services`, `/explorers`, `/logs?service=…&lines=…`, and the
 * joined queries over all parties. Its only actions are `POST /services/{name}/{pause,resume}`.
 *
 * @throws Error if the socket cannot be created
 */
export function openViewSocket(options: ViewOptions): Promise<SocketServer> {
  return openSocketServer({ socket: options.socket, answer: (call) => answer(call, options), log: options.log });
}

async function answer(call: Call, { supervisor, loadJoins }: ViewOptions): Promise<void> {
  const { method, path, parameters, response } = call;
  if (method === 'POST') return act(call, supervisor);
  if (method !== 'GET') {
    sendJson(response, 405, { error: `There is no ${method} here.` });
    return;
  }
  const found =
    path === '/services'
      ? servicesOf(supervisor)
      : path === '/explorers'
        ? { explorers: partiesOf(supervisor) }
        : path === '/logs'
          ? logsOf(supervisor.plan(), parameters)
          : await (
              await loadJoins()
            )(path, parameters, withCertificates(supervisor));
  if (found === undefined) sendJson(response, 404, { error: `There is no GET ${path}.` });
  else sendJson(response, 200, found);
}

async function act(call: Call, supervisor: Supervisor): Promise<void> {
  const [, name = '', verb] = /^\/services\/([a-z0-9-]{1,64})\/(pause|resume)$/.exec(call.path) ?? [];
  const service = supervisor.service(name);
  if (service === undefined || (verb !== 'pause' && verb !== 'resume'))
    sendJson(call.response, 404, { error: `There is no POST ${call.path}.` });
  else await answerPause(call, service, verb);
}

function servicesOf(supervisor: Supervisor) {
  const services = supervisor.status().services.filter(({ type }) => type === 'service');
  return {
    services: services.map(({ name, kind, state, restarts, pid, startedAt, message }) => ({
      name,
      kind,
      state,
      restarts,
      ...(pid !== null && { memoryBytes: readMemory(pid) }),
      ...(startedAt !== null && { startedAt }),
      ...(message !== null && { message }),
    })),
  };
}

function logsOf(plan: Plan, parameters: URLSearchParams) {
  const known = plan.services.map(({ name }) => name);
  const services = parameters.getAll('service').filter((name) => known.includes(name));
  const lines = Math.min(maxLines, Number(/^\d{1,6}$/.exec(parameters.get('lines') ?? '')?.[0] ?? 0));
  return {
    lines: readTails(plan.logs.directory, services, lines),
  };
}

function partiesOf(supervisor: Supervisor): readonly ViewedParty[] {
  return supervisor
    .status()
    .services.flatMap(({ name, kind, url }) => (kind === 'node' && url !== null ? [{ name, url }] : []));
}

function withCertificates(supervisor: Supervisor): readonly ViewedParty[] {
  const { services } = supervisor.plan();
  return partiesOf(supervisor).map((party) => {
    const spec = services.find(({ name }) => name === party.name);
    const file = spec?.type === 'service' ? spec.health.certificateFile : undefined;
    return { ...party, ...(file !== undefined && { certificateFile: file }) };
  });
}
