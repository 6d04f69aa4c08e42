import type { ServerResponse } from 'node:http';
import { createSystemClock } from '../../adapters/clock/system.js';
import type { Log } from '../../ports/log.js';
import { createHold, type Hold } from './hold.js';
import type { Lease } from './lease.js';
import type { LogEnd, LogLine, Logs } from '../files/logs.js';
import { answerPause } from '../services/pause-call.js';
import type { Plan } from '../plan.js';
import { type Call, openSocketServer, sendJson, type SocketServer } from './socket-server.js';
import type { Supervisor } from '../supervisor.js';
import { controlProtocol } from './view.js';

interface ControlOptions {
  readonly socket: string;
  /** Reads the plan file again. */
  readonly readPlan: () => Promise<Plan>;
  readonly supervisor: Supervisor;
  readonly logs: Logs;
  /** Undefined for a stack without an owner process. */
  readonly lease?: Lease | undefined;
  /** Called after the response to a stop has been sent. */
  readonly onStopped: () => void;
  readonly log: Log;
}

/**
 * Serves the control API on the plan's socket.
 *
 * - `GET /health`: the identity of the supervisor
 * - `GET /status`: the state of all services; `GET /status/stream`: the same after every change, as server-sent events
 * - `GET /logs?service=…`: the current ends of logs, then every further record, as server-sent events
 * - `POST /stop`
 * - `POST /services/{name}/{start,stop,restart,pause,resume}`
 * - `POST /plan?again=…`: adopts the extended plan file, and runs the named tasks again
 * - `POST /lease`: a response that stays open as long as the lease; `POST /lease/job?pid=…`, `POST /lease/keep`
 * - `POST /hold`: a response that stays open while all services are paused; `GET /hold`: whether they are
 *
 * @throws Error if the path is too long, the directory is not private, or the socket cannot be created
 */
export function openControl(options: ControlOptions): Promise<SocketServer> {
  const hold = createHold({ ...options, clock: createSystemClock() });
  return openSocketServer({
    socket: options.socket,
    answer: (call) => answer(call, { ...options, hold }),
    log: options.log,
  });
}

async function answer(call: Call, options: ControlOptions & { readonly hold: Hold }): Promise<void> {
  const { method, path, response } = call;
  const { supervisor } = options;
  const route = `${method} ${path}`;
  if (route === 'GET /health') {
    const { protocol, stack, name, identity, startedAt } = supervisor.status();
    sendJson(response, 200, { protocol, stack, name, identity, startedAt });
  } else if (route === 'GET /status') sendJson(response, 200, supervisor.status());
  else if (route === 'GET /status/stream') streamStatus(call, supervisor);
  else if (route === 'GET /logs') streamLogs(call, supervisor.plan(), options.logs);
  else if (route === 'POST /hold') await options.hold.take(call);
  else if (route === 'GET /hold') sendJson(response, 200, { held: options.hold.isUnbroken() });
  else if (route === 'POST /plan') {
    supervisor.adopt(await options.readPlan(), call.parameters.getAll('again'));
    sendJson(response, 200, supervisor.status());
  } else if (route === 'POST /stop') {
    const forced = await supervisor.stop();
    // The supervisor ends even if the client has disconnected.
    if (response.closed) options.onStopped();
    else response.once('close', options.onStopped);
    sendJson(response, 200, { protocol: controlProtocol, forced });
  } else if (route === 'POST /lease') holdLease(call, options.lease);
  else if (method === 'POST' && path.startsWith('/lease/')) await changeLease(call, options.lease);
  else await answerService(call, supervisor);
}

function holdLease({ response }: Call, lease: Lease | undefined): void {
  if (lease?.hold(response) !== true) {
    sendJson(response, 409, { error: 'This stack has no lease, or another process has it.' });
    return;
  }
  response.writeHead(200, { 'content-type': 'text/plain' });
  response.flushHeaders();
}

async function changeLease({ path, parameters, response }: Call, lease: Lease | undefined): Promise<void> {
  const pid = Number(/^[1-9]\d{0,8}$/.exec(parameters.get('pid') ?? '')?.[0]);
  if (lease !== undefined && path === '/lease/keep') {
    lease.keep();
    sendJson(response, 200, { kept: true });
  } else if (lease !== undefined && path === '/lease/job' && Number.isInteger(pid)) {
    sendJson(response, 200, { found: await lease.setJob(pid) });
  } else sendJson(response, 404, { error: `There is no POST ${path}.` });
}

async function answerService(call: Call, supervisor: Supervisor): Promise<void> {
  const { method, path, parameters, response } = call;
  const [, name, verb] = /^\/services\/([a-z0-9-]+)\/(start|stop|restart|pause|resume)$/.exec(path) ?? [];
  if (method !== 'POST' || name === undefined) {
    sendJson(response, 404, { error: `There is no ${method} ${path}.` });
    return;
  }
  const service = supervisor.service(name);
  if (service === undefined) {
    sendJson(response, 404, { error: `No service named ${name}.` });
    return;
  }
  if (verb === 'pause' || verb === 'resume') return answerPause(call, service, verb);
  const graceMs = /^\d{1,9}$/.exec(parameters.get('graceMs') ?? '')?.[0];
  const forced = verb === 'start' ? false : await service.stop(graceMs === undefined ? undefined : Number(graceMs));
  if (verb !== 'stop') service.start();
  sendJson(response, 200, { forced, service: service.view() });
}

function streamStatus({ response }: Call, supervisor: Supervisor): void {
  const push = openStream(response);
  push(supervisor.status());
  response.once('close', supervisor.subscribe(push));
}

type LogEvent = { readonly ends: readonly LogEnd[] } | LogLine;

function streamLogs({ parameters, response }: Call, plan: Plan, logs: Logs): void {
  const requested = parameters.getAll('service');
  const known = ['supervisor', ...plan.services.map((spec) => spec.name)];
  const services = requested.length === 0 ? known : requested.filter((name) => known.includes(name));
  const push: (event: LogEvent) => void = openStream(response);
  // Both happen in one turn of the event loop, so that every record is either before the ends or follows.
  push({ ends: logs.ends(services) });
  const wanted = new Set(services);
  const unfollow = logs.follow((line) => {
    if (wanted.has(line.service)) push(line);
  });
  response.once('close', unfollow);
}

const maxBufferedBytes = 8_388_608;

function openStream(response: ServerResponse): (value: unknown) => void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.flushHeaders();
  return (value) => {
    // A client that does not read is disconnected: it can reconnect, and the supervisor's memory stays bounded.
    if (response.writableLength > maxBufferedBytes) response.destroy();
    else if (!response.destroyed) response.write(`data: ${JSON.stringify(value)}\n\n`);
  };
}
