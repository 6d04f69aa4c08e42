import assert from 'node:assert';
import { chmod, lstat, mkdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { dirname } from 'node:path';
import type { Log } from '../ports/log.js';
import { type Logs, readTail } from './logs.js';
import type { Plan } from './plan.js';
import type { Supervisor } from './supervisor.js';
import { controlProtocol } from './view.js';

export interface Control {
  close(): Promise<void>;
}

interface ControlOptions {
  readonly plan: Plan;
  readonly supervisor: Supervisor;
  readonly logs: Logs;
  /** Called after the answer to a stop has been sent. */
  readonly onStopped: () => void;
  readonly log: Log;
}

interface Call {
  readonly url: URL;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const maxSocketPathBytes = 100;
const maxTailLines = 10_000;
const maxConnections = 100;

/**
 * Serves the control API on the plan's socket, mode 0600 in a directory that is ours and 0700 (assurance S21).
 *
 * `GET /health` who this is · `GET /status` what runs · `GET /status/stream` the same after every change, as
 * server-sent events · `GET /logs?service=…&lines=…&follow=true` records, as events · `POST /stop` · `POST
 * /services/{name}/{start,stop,restart}`.
 *
 * @throws Error when the path is too long, the directory is not ours alone, or the socket cannot be made
 */
export async function openControl(options: ControlOptions): Promise<Control> {
  const { socket } = options.plan;
  // Node cuts a longer path silently, and the socket would be elsewhere.
  assert(Buffer.byteLength(socket) <= maxSocketPathBytes, `the socket path fits into ${maxSocketPathBytes} bytes`);
  await prepareDirectory(dirname(socket));
  await rm(socket, { force: true });
  const server = createServer((request, response) => {
    answer({ url: new URL(request.url ?? '/', 'http://supervisor'), request, response }, options).catch(
      (error: unknown) => {
        options.log.error('A control request failed', { path: request.url, error: String(error) });
        if (response.headersSent) response.destroy();
        else send(response, 500, { error: String(error) });
      },
    );
  });
  server.maxConnections = maxConnections;
  await listen(server, socket);
  await chmod(socket, 0o600);
  return {
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(socket, { force: true });
    },
  };
}

async function prepareDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const entry = await lstat(directory);
  const isOurs = entry.isDirectory() && entry.uid === process.getuid?.() && (entry.mode & 0o077) === 0;
  if (!isOurs) throw new Error(`The directory ${directory} must be yours and have mode 0700. Remove it or chmod it.`);
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      reject(new Error(`Cannot open the control socket ${path}: ${cause.message}`, { cause }));
    });
    server.listen({ path }, resolve);
  });
}

async function answer(call: Call, options: ControlOptions): Promise<void> {
  const { url, request, response } = call;
  const { supervisor, plan } = options;
  const route = `${request.method} ${url.pathname}`;
  if (route === 'GET /health') {
    const { protocol, stack, name, identity, startedAt } = supervisor.status();
    send(response, 200, { protocol, stack, name, identity, startedAt });
  } else if (route === 'GET /status') send(response, 200, supervisor.status());
  else if (route === 'GET /status/stream') streamStatus(call, supervisor);
  else if (route === 'GET /logs') streamLogs(call, plan, options.logs);
  else if (route === 'POST /stop') {
    const forced = await supervisor.stop();
    response.once('close', options.onStopped);
    send(response, 200, { protocol: controlProtocol, forced });
  } else await answerService(call, supervisor);
}

async function answerService({ url, request, response }: Call, supervisor: Supervisor): Promise<void> {
  const [, name, verb] = /^\/services\/([a-z0-9-]+)\/(start|stop|restart)$/.exec(url.pathname) ?? [];
  if (request.method !== 'POST' || name === undefined) {
    send(response, 404, { error: `There is no ${request.method} ${url.pathname}.` });
    return;
  }
  const service = supervisor.service(name);
  if (service === undefined) {
    send(response, 404, { error: `There is no service ${name}.` });
    return;
  }
  const forced = verb === 'start' ? false : await service.stop();
  if (verb !== 'stop') service.start();
  send(response, 200, { forced, service: service.view() });
}

function streamStatus({ response }: Call, supervisor: Supervisor): void {
  const push = openStream(response);
  push(supervisor.status());
  response.once('close', supervisor.subscribe(push));
}

function streamLogs({ url, response }: Call, plan: Plan, logs: Logs): void {
  const asked = url.searchParams.getAll('service');
  const known = ['supervisor', ...plan.services.map((spec) => spec.name)];
  const services = asked.length === 0 ? known : asked.filter((name) => known.includes(name));
  const count = Math.min(maxTailLines, Number(url.searchParams.get('lines') ?? '0') || 0);
  const push = openStream(response);
  // Reading and subscribing happen in one turn, so that no line is missed or sent twice.
  for (const service of services) {
    for (const line of readTail(plan.logs.directory, service, count)) push({ service, line });
  }
  if (url.searchParams.get('follow') !== 'true') {
    response.end();
    return;
  }
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
    // A reader that does not read is let go: it can come back, the supervisor must stay small.
    if (response.writableLength > maxBufferedBytes) response.destroy();
    else response.write(`data: ${JSON.stringify(value)}\n\n`);
  };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
