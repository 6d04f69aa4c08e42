import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type Docker from 'dockerode';
import { reportMark } from '../../http/program.js';
import { isAway, isGone, labels, openEngine, removeEarlier } from '../engine.js';
import { deliverLines } from '../files/lines.js';
import { makeDirectory } from '../files/private-file.js';
import { authoritiesVariable } from '../machine/environment.js';
import type { ContainerPlan, ContainerSpec } from '../plan.js';
import { type Child, type ChildOptions, type Exit, readMessage } from './process.js';

export interface ContainerOptions extends Pick<ChildOptions, 'environment' | 'onMessage' | 'onLine'> {
  /** The name of the service, by which other containers of the stack call it. */
  readonly service: string;
  /** The id of the stack. */
  readonly stack: string;
  readonly spec: ContainerSpec;
  readonly plan: ContainerPlan;
}

/** Variables that have the same meaning in a container. */
const passedInside = ['LANG', 'LC_ALL', 'TZ', 'PARLEY_FAILPOINT'];

/**
 * Starts a service in a container. Its stdin is attached to this process's connection to the engine and closes when
 * this process dies, which tells the service to end, as with `startChild`. The engine removes the container when it
 * ends.
 *
 * @throws Error if the engine cannot start it, or does not answer
 */
export async function startContainer(options: ContainerOptions): Promise<Child> {
  const { spec } = options;
  for (const { path, isReadOnly } of spec.mounts) if (!isReadOnly) await makeDirectory(path);
  const container = await create(options);
  try {
    return await run(container, options);
  } catch (cause) {
    await container.remove({ force: true, v: true }).catch((error: unknown) => {
      if (!isGone(error)) throw error;
    });
    throw cause;
  }
}

async function create(options: ContainerOptions): Promise<Docker.Container> {
  const { stack, service, plan } = options;
  const engine = openEngine(plan.engine);
  try {
    await removeEarlier(engine, stack, service);
    return await engine.createContainer(descriptionOf(options));
  } catch (cause) {
    if (!isAway(cause)) throw cause;
    throw new Error('The container engine does not answer.', { cause });
  }
}

function descriptionOf({ service, stack, spec, plan, environment }: ContainerOptions): Docker.ContainerCreateOptions {
  const isAlone = plan.network !== 'host';
  // A file that the plan does not mount does not exist in the container.
  const hasAuthorities = spec.mounts.some(({ path }) => path === environment[authoritiesVariable]);
  const inside = [...passedInside, ...(hasAuthorities ? [authoritiesVariable] : [])].flatMap((name) =>
    environment[name] === undefined ? [] : [`${name}=${environment[name]}`],
  );
  const published = isAlone ? spec.ports : [];
  const ports = [...new Set(published.map(({ port }) => port))];
  const bindings = (port: number) =>
    published.filter((each) => each.port === port).map(({ host }) => ({ HostIp: host, HostPort: String(port) }));
  return {
    // A container that is being removed still has its name, so each one gets another.
    name: `${plan.prefix}-${service}-${randomBytes(3).toString('hex')}`,
    Image: spec.image,
    Entrypoint: [],
    Cmd: spec.command,
    Env: [...inside, 'PARLEY_REPORTS=stdout'],
    User: spec.user,
    Labels: { [labels.stack]: stack, [labels.service]: service },
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
    ...(isAlone && { Hostname: service }),
    ExposedPorts: Object.fromEntries(ports.map((port) => [`${port}/tcp`, {}])),
    HostConfig: {
      AutoRemove: true,
      RestartPolicy: { Name: 'no' },
      // The supervisor writes the logs.
      LogConfig: { Type: 'none', Config: {} },
      NetworkMode: plan.network,
      PortBindings: Object.fromEntries(ports.map((port) => [`${port}/tcp`, bindings(port)])),
      Mounts: spec.mounts.map(({ path, isReadOnly }) => ({
        Type: 'bind' as const,
        Source: path,
        Target: path,
        ReadOnly: isReadOnly,
      })),
      ReadonlyRootfs: true,
      Tmpfs: { '/tmp': '' },
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges', 'label=disable'],
      ...(plan.userNamespace !== undefined && { UsernsMode: plan.userNamespace }),
    },
    ...(isAlone && { NetworkingConfig: { EndpointsConfig: { [plan.network]: { Aliases: [service] } } } }),
  };
}

async function run(container: Docker.Container, options: ContainerOptions): Promise<Child> {
  const flow = await container.attach({ stream: true, hijack: true, stdin: true, stdout: true, stderr: true });
  const output = readOutput(flow, options);
  const removed = container.wait({ condition: 'removed' }).then(
    (answer: unknown) => exitOf(answer),
    () => unknownExit,
  );
  await container.start();
  const { State } = await container.inspect();
  // If the engine is killed, the call of `wait` stays open, but the attached stream ends.
  const exited = Promise.race([removed, output.then(() => untilGone(container))]).then(async (exit) => {
    await output;
    return exit;
  });
  let isPaused = false;
  const resume = async (): Promise<void> => {
    if (!isPaused) return;
    isPaused = false;
    await container.unpause().catch(ignoreAway);
  };
  return {
    // A later supervisor finds the container by its labels.
    pid: State.Pid,
    identity: undefined,
    isContainer: true,
    exited,
    stop: (graceMs) => stopContainer(container, exited, graceMs, resume),
    pause: async () => {
      await container.pause();
      isPaused = true;
    },
    resume: () => {
      // If this fails, the health check replaces the container.
      resume().catch(() => undefined);
    },
  };
}

async function readOutput(flow: NodeJS.ReadWriteStream, options: ContainerOptions): Promise<void> {
  const [out, err] = [new PassThrough(), new PassThrough()];
  openEngine(options.plan.engine).modem.demuxStream(flow, out, err);
  const end = (): void => {
    out.end();
    err.end();
  };
  flow.on('end', end).on('close', end).on('error', end);
  await Promise.all([
    deliverLines(out, (line) => {
      const message = line.startsWith(reportMark) ? readMessage(line.slice(reportMark.length)) : undefined;
      if (message === undefined) options.onLine(line, 'stdout');
      else options.onMessage(message);
    }),
    deliverLines(err, (line) => options.onLine(line, 'stderr')),
  ]);
}

const unknownExit: Exit = { code: null, signal: null };
const pollMs = 200;
/** Time for an engine to report the exit code of an ended container, and to remove it. */
const lateAnswerMs = 1_000;

/** Resolves when a detached container, which ends since its stdin has closed, is gone or its engine does not answer. */
async function untilGone(container: Docker.Container): Promise<Exit> {
  for (;;) {
    const state = await stateOf(container);
    if (state === 'away') return unknownExit;
    if (state === 'removed' || !state.Running) {
      await sleep(lateAnswerMs);
      return state === 'removed' ? unknownExit : exitOf({ StatusCode: state.ExitCode });
    }
    await sleep(pollMs);
  }
}

async function stateOf(
  container: Docker.Container,
): Promise<Docker.ContainerInspectInfo['State'] | 'away' | 'removed'> {
  try {
    return (await container.inspect()).State;
  } catch (error) {
    if (isAway(error)) return 'away';
    if (isGone(error)) return 'removed';
    throw error;
  }
}

/** Exit codes that stand for a signal, by convention of engines. */
const signals: Readonly<Record<number, Exit['signal']>> = {
  134: 'SIGABRT',
  137: 'SIGKILL',
  139: 'SIGSEGV',
  143: 'SIGTERM',
};

function exitOf(answer: unknown): Exit {
  const code: unknown = answer instanceof Object ? Reflect.get(answer, 'StatusCode') : undefined;
  if (typeof code !== 'number') return { code: null, signal: null };
  const signal = signals[code] ?? null;
  return { code: signal === null ? code : null, signal };
}

async function stopContainer(
  container: Docker.Container,
  exited: Promise<Exit>,
  graceMs: number,
  resume: () => Promise<void>,
): Promise<boolean> {
  let isForced = false;
  // A container that has just ended is already gone; `exited` reports it.
  const signal = (name: string) => container.kill({ signal: name }).catch(ignoreAway);
  await resume();
  let kill: NodeJS.Timeout | undefined;
  const refused = new Promise<never>((_, reject) => {
    kill = setTimeout(() => {
      isForced = true;
      signal('SIGKILL').catch(reject);
    }, graceMs);
  });
  try {
    await signal('SIGTERM');
    await Promise.race([exited, refused]);
    return isForced;
  } finally {
    clearTimeout(kill);
  }
}

/** A container that the engine does not know has ended; without an engine, it ends since its stdin has closed. */
function ignoreAway(error: unknown): void {
  if (!isGone(error) && !isAway(error)) throw error;
}
