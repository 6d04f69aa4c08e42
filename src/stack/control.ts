import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { askSocket, bodyOf, isNobodyThere } from '../http/socket-client.js';
import { readShape } from '../supervisor/json-file.js';
import { controlProtocol, SupervisorHealth, SupervisorStatus } from '../supervisor/view.js';
import { controlSockets } from './control-socket.js';
import { StackError } from './error.js';
import { type Layout, packageFile } from './layout.js';

/** The control API of a running supervisor. */
export interface Control {
  health(): Promise<SupervisorHealth>;
  status(): Promise<SupervisorStatus>;
  /** The status now and after every change, until the signal is aborted or the supervisor ends. */
  watch(signal: AbortSignal): AsyncGenerator<SupervisorStatus>;
  /** The last records of some services (none named = all), and with `follow` every further one. */
  logs(
    options: { readonly services: readonly string[]; readonly lines: number; readonly follow: boolean },
    signal: AbortSignal,
  ): AsyncGenerator<{ readonly service: string; readonly line: string }>;
  /** Resolves with the names that had to be killed; the supervisor then ends. */
  stop(): Promise<readonly string[]>;
  /** Takes the lease of a stack that exists for this process alone. */
  lease(): Promise<HeldLease>;
  /** Resolves with whether its process had to be killed. */
  service(name: string, verb: 'start' | 'stop' | 'restart' | 'pause' | 'resume'): Promise<boolean>;
}

/** The open connection on which an ephemeral stack lives. */
export interface HeldLease {
  /** Names the process that uses the stack: it ends with the stack when this process dies. */
  setJob(pid: number): Promise<void>;
  /** Lets the stack live on without a lease. */
  keep(): Promise<void>;
  /** Closes the connection: unless the stack is kept, its supervisor ends and deletes it. */
  release(): void;
}

const LogRecord = Type.Object({ service: Type.String(), line: Type.String() });
const Verb = Type.Object({ forced: Type.Boolean() });
const Stopped = Type.Object({ forced: Type.Array(Type.String()) });
const answerLimitMs = 5_000;
const stopLimitMs = 60_000;

/**
 * The supervisor of a stack, or undefined when none answers. What answers on the socket must be this stack's own, and
 * the socket must be safe to connect to.
 *
 * @throws StackError PROTOCOL_MISMATCH when it speaks another version of the protocol and `anyVersion` is not set;
 *   CONTROL_NOT_PRIVATE when another user could have made the socket
 */
export async function connectControl(
  layout: Layout,
  { anyVersion = false }: { readonly anyVersion?: boolean } = {},
): Promise<Control | undefined> {
  for (const socket of await controlSockets(layout)) {
    const control = controlAt(socket);
    const health = await healthOf(control);
    if (health?.stack !== layout.id) continue;
    if (health.protocol === controlProtocol || anyVersion) return control;
    throw new StackError('PROTOCOL_MISMATCH', `The supervisor of ${health.name} is of another version.`, {
      hint: 'stack restart',
      details: { protocol: health.protocol, expected: controlProtocol },
    });
  }
  return undefined;
}

/** Undefined when nobody answers. */
async function healthOf(control: Control): Promise<SupervisorHealth | undefined> {
  try {
    return await control.health();
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

function controlAt(socket: string): Control {
  return {
    health: () => ask(socket, 'GET', '/health', SupervisorHealth),
    status: () => ask(socket, 'GET', '/status', SupervisorStatus),
    watch: (signal) => events(socket, '/status/stream', SupervisorStatus, signal),
    logs: ({ services, lines, follow }, signal) => {
      const query = new URLSearchParams({ lines: String(lines), follow: String(follow) });
      for (const service of services) query.append('service', service);
      return events(socket, `/logs?${query.toString()}`, LogRecord, signal);
    },
    stop: async () => (await ask(socket, 'POST', '/stop', Stopped, stopLimitMs)).forced,
    lease: () => takeLease(socket),
    service: async (name, verb) => (await ask(socket, 'POST', `/services/${name}/${verb}`, Verb, stopLimitMs)).forced,
  };
}

async function ask<Schema extends TSchema>(
  socketPath: string,
  method: 'GET' | 'POST',
  path: string,
  schema: Schema,
  limitMs = answerLimitMs,
): Promise<Static<Schema>> {
  const response = await askSocket({ socketPath, method, path, until: limitMs });
  const text = await bodyOf(response);
  if (response.statusCode !== 200) throw new Error(`The supervisor refused ${method} ${path}: ${text}`);
  return readShape(schema, text, `The supervisor's answer to ${path}`);
}

async function takeLease(socketPath: string): Promise<HeldLease> {
  const released = new AbortController();
  const response = await askSocket({ socketPath, method: 'POST', path: '/lease', until: released.signal });
  if (response.statusCode !== 200) {
    throw new Error(`The supervisor refused the lease: ${await bodyOf(response)}`);
  }
  // The end of the supervisor closes the connection; whoever uses the stack notices that without it.
  response.on('error', () => undefined).resume();
  return {
    setJob: async (pid) => void (await ask(socketPath, 'POST', `/lease/job?pid=${pid}`, Type.Object({}))),
    keep: async () => void (await ask(socketPath, 'POST', '/lease/keep', Type.Object({}))),
    release: () => {
      released.abort();
    },
  };
}

async function* events<Schema extends TSchema>(
  socketPath: string,
  path: string,
  schema: Schema,
  signal: AbortSignal,
): AsyncGenerator<Static<Schema>> {
  try {
    const response = await askSocket({ socketPath, path, until: signal });
    response.setEncoding('utf8');
    let rest = '';
    for await (const chunk of response) {
      const parts = (rest + String(chunk)).split('\n\n');
      rest = parts.pop() ?? '';
      for (const part of parts)
        yield readShape(schema, part.slice('data: '.length), `The supervisor's event at ${path}`);
    }
  } catch (error) {
    // The stream ends with the supervisor, or when nobody wants it any more.
    if (!signal.aborted && !isGone(error)) throw error;
  }
}

/** Whether an error says that nobody is there (any more), or that who is there does not answer. */
function isGone(error: unknown): boolean {
  const isSilent = error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError');
  return isSilent || isNobodyThere(error);
}

const ForkMessage = Type.Union([
  Type.Object({ type: Type.Literal('ready') }),
  Type.Object({ type: Type.Literal('failed'), message: Type.String() }),
]);

/**
 * Starts the supervisor of a stack, detached from this process and its terminal, and resolves when it answers.
 *
 * @throws StackError START_FAILED with what it said
 */
export async function forkSupervisor(layout: Layout, environment: Readonly<Record<string, string>>): Promise<Control> {
  mkdirSync(layout.logs, { recursive: true, mode: 0o700 });
  const output = openSync(join(layout.logs, 'supervisor.err'), 'a', 0o600);
  try {
    const child = spawn(process.execPath, [packageFile('bin/supervisor.js'), layout.plan], {
      detached: true,
      cwd: '/',
      stdio: ['ignore', output, output, 'ipc'],
      env: { ...environment },
    });
    await new Promise<void>((resolve, reject) => {
      const fail = (message: string): void => {
        const hint = `Its log is ${join(layout.logs, 'supervisor.ndjson')}.`;
        reject(new StackError('START_FAILED', `The supervisor did not start: ${message}`, { hint }));
      };
      child.on('message', (message) => {
        if (!Value.Check(ForkMessage, message)) return;
        if (message.type === 'ready') resolve();
        else fail(message.message);
      });
      child.once('error', (error) => {
        fail(error.message);
      });
      child.once('exit', (code, signal) => {
        fail(`it ended with ${signal ?? `code ${code}`}.`);
      });
    });
    child.disconnect();
    child.unref();
  } finally {
    closeSync(output);
  }
  return controlAt(layout.socket);
}
