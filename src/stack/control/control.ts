import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { discard, readText } from '../../http/client/response.js';
import { askSocket, isNobodyThere, maxSocketBytes } from '../../http/client/unix-socket.js';
import { readShape } from '../../supervisor/files/json-file.js';
import { controlProtocol, SupervisorHealth, SupervisorStatus } from '../../supervisor/control/view.js';
import { isPaused } from '../../supervisor/machine/identity.js';
import { controlSockets } from './control-socket.js';
import { StackError } from '../error.js';
import { EndedError, unlessEnded } from './ended.js';
import { type HeldServices, holdServices } from './held-services.js';
import { livingState, silentHint, silentText } from './living.js';
import type { Layout } from '../layout.js';

/** The control API of a running supervisor. */
export interface Control {
  health(): Promise<SupervisorHealth>;
  status(): Promise<SupervisorStatus>;
  /** Yields the current status, then one after every change, until the signal is aborted or the supervisor ends. */
  watch(signal: AbortSignal): AsyncGenerator<SupervisorStatus>;
  /** Yields the current ends of the logs of some services (empty = all), then every further record. */
  logs(services: readonly string[], signal: AbortSignal): AsyncGenerator<LogEvent>;
  /** Stops the stack; resolves with the names that had to be killed. The supervisor then ends. */
  stop(): Promise<readonly string[]>;
  /** Makes the supervisor adopt the extended plan file, and run these tasks again. */
  adopt(again: readonly string[]): Promise<SupervisorStatus>;
  /**
   * Pauses all services until `release`.
   *
   * @throws StackError SNAPSHOT_FAILED if one of them cannot be paused
   */
  hold(): Promise<HeldServices>;
  /** Takes the lease of a temporary stack. */
  lease(): Promise<HeldLease>;
  /**
   * Changes a service. Resolves with whether its process had to be killed, `graceMs` after the request to stop
   * (default: as in the plan).
   *
   * @throws StackError NOT_RUNNING for a pause of an unhealthy service, or a resume of one that is not paused
   */
  service(
    name: string,
    verb: 'start' | 'stop' | 'restart' | 'pause' | 'resume',
    options?: { readonly graceMs: number },
  ): Promise<boolean>;
}

/** The open connection that keeps a temporary stack alive. */
export interface HeldLease {
  /** Sets the process that uses the stack; it is ended with the stack if this process dies. */
  setJob(pid: number): Promise<void>;
  /** Makes the stack permanent. */
  keep(): Promise<void>;
  /** Closes the connection: unless the stack was kept, its supervisor stops and deletes it. */
  release(): void;
}

const LogEvent = Type.Union([
  Type.Object({
    ends: Type.Array(Type.Object({ service: Type.String(), inode: Type.Number(), sizeBytes: Type.Number() })),
  }),
  Type.Object({ service: Type.String(), line: Type.String() }),
]);
type LogEvent = Static<typeof LogEvent>;
const Verb = Type.Object({ forced: Type.Boolean() });
const Refusal = Type.Object({ error: Type.String() });
const Stopped = Type.Object({ forced: Type.Array(Type.String()) });
/** The longest wait for an answer to one request. */
const answerLimitMs = 5_000;
const stopLimitMs = 60_000;

/**
 * Connects to the supervisor of a stack; undefined if none responds. One that SIGSTOP has stopped is not asked, since
 * it would only take the time of the command. Only safe sockets are used, and other stacks' supervisors are ignored.
 *
 * @throws StackError PROTOCOL_MISMATCH for another version of the protocol, unless `anyVersion`; CONTROL_NOT_PRIVATE if
 * another user could have created the socket
 */
export async function connectControl(
  layout: Layout,
  { anyVersion = false }: { readonly anyVersion?: boolean } = {},
): Promise<Control | undefined> {
  const last = await livingState({ layout });
  if (last !== undefined && (await isPaused(last.identity.pid))) return undefined;
  for (const socket of await controlSockets(layout)) {
    const control = controlAt(socket);
    const health = await healthOf(control);
    if (health?.stack !== layout.id) continue;
    if (health.protocol === controlProtocol || anyVersion) return control;
    throw new StackError('PROTOCOL_MISMATCH', `The supervisor of ${health.name} runs another version of Parley.`, {
      hint: 'Restart the stack: stack restart',
      details: { protocol: health.protocol, expected: controlProtocol },
    });
  }
  return undefined;
}

/** Connects to the supervisor of a stack that must be running. @throws StackError NOT_RUNNING; as `connectControl` */
export async function requireControl({
  name,
  layout,
}: {
  readonly name: string;
  readonly layout: Layout;
}): Promise<Control> {
  const control = await connectControl(layout);
  if (control !== undefined) return control;
  if ((await livingState({ layout })) !== undefined) {
    throw new StackError('NOT_RUNNING', silentText(name), { hint: silentHint(name) });
  }
  throw new StackError('NOT_RUNNING', `The stack ${name} is not running.`, { hint: `Start it: stack start ${name}` });
}

/** The status of a stack; undefined if its supervisor does not respond. */
export async function statusOf(control: Control | undefined): Promise<SupervisorStatus | undefined> {
  return unlessGone(() => control?.status());
}

async function healthOf(control: Control): Promise<SupervisorHealth | undefined> {
  return unlessGone(() => control.health());
}

async function unlessGone<Answer>(ask: () => Promise<Answer> | undefined): Promise<Answer | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** The control of the supervisor that answers at a socket. */
export function controlAt(socket: string): Control {
  return {
    health: () => ask(socket, 'GET', '/health', SupervisorHealth),
    status: () => ask(socket, 'GET', '/status', SupervisorStatus),
    watch: (signal) => events(socket, '/status/stream', SupervisorStatus, signal),
    logs: (services, signal) => {
      const query = new URLSearchParams(services.map((name): [string, string] => ['service', name]));
      return events(socket, `/logs?${query.toString()}`, LogEvent, signal);
    },
    stop: async () => (await ask(socket, 'POST', '/stop', Stopped, stopLimitMs)).forced,
    adopt: (again) => {
      const query = new URLSearchParams(again.map((name): [string, string] => ['again', name]));
      return ask(socket, 'POST', `/plan?${query.toString()}`, SupervisorStatus);
    },
    hold: () => holdServices(socket),
    lease: () => takeLease(socket),
    service: async (name, verb, options) => {
      const query = options === undefined ? '' : `?graceMs=${options.graceMs}`;
      return (await ask(socket, 'POST', `/services/${name}/${verb}${query}`, Verb, stopLimitMs)).forced;
    },
  };
}

async function ask<Schema extends TSchema>(
  socketPath: string,
  method: 'GET' | 'POST',
  path: string,
  schema: Schema,
  limitMs = answerLimitMs,
): Promise<Static<Schema>> {
  const { status, text } = await unlessEnded(async () => {
    const response = await askSocket({ socketPath, method, path, until: limitMs });
    return { status: response.status, text: await readText(response, maxSocketBytes) };
  });
  // The service's state does not allow the request; the error says which state.
  if (status === 409) throw new StackError('NOT_RUNNING', readShape(Refusal, text, path).error);
  if (status !== 200) throw new Error(`The supervisor refused ${method} ${path}: ${text}`);
  return readShape(schema, text, `The supervisor's answer to ${path}`);
}

async function takeLease(socketPath: string): Promise<HeldLease> {
  const released = new AbortController();
  const response = await unlessEnded(() =>
    askSocket({ socketPath, method: 'POST', path: '/lease', until: released.signal }),
  );
  if (response.status !== 200) {
    throw new Error(`The supervisor refused the lease: ${await readText(response, maxSocketBytes)}`);
  }
  // The connection closes when the supervisor ends, which users of the stack notice in other ways.
  void discard(response);
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
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of response.body) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
      rest = parts.pop() ?? '';
      for (const part of parts)
        yield readShape(schema, part.slice('data: '.length), `The supervisor's event at ${path}`);
    }
  } catch (error) {
    // The stream ends with the supervisor, or when it is aborted.
    if (!signal.aborted && !isGone(error)) throw error;
  }
}

/** Whether an error means that no process listens (any more), or that it does not respond. */
export function isGone(error: unknown): boolean {
  const isSilent = error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError');
  return isSilent || isNobodyThere(error) || error instanceof EndedError;
}
