import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import type Docker from 'dockerode';
import { reportMark } from '../../http/program.js';
import { isGone, labels, openEngine } from '../engine.js';
import { deliverLines } from '../files/lines.js';
import { makeDirectory } from '../files/private-file.js';
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

/** Variables that mean the same inside. */
const passedInside = ['LANG', 'LC_ALL', 'TZ', 'PARLEY_FAILPOINT'];

/**
 * Starts a service in a container. It is attached to: its stdin is this process's connection to the engine and closes
 * when this process dies, which tells the service to end, as in a process of its own. The engine removes the container
 * when it ends.
 *
 * @throws Error if the engine cannot start it
 */
export async function startContainer(options: ContainerOptions): Promise<Child> {
  const { spec, plan } = options;
  for (const { path, isReadOnly } of spec.mounts) if (!isReadOnly) await makeDirectory(path);
  const container = await openEngine(plan.engine).createContainer(descriptionOf(options));
  try {
    return await run(container, options);
  } catch (cause) {
    await container.remove({ force: true, v: true }).catch((error: unknown) => {
      if (!isGone(error)) throw error;
    });
    throw cause;
  }
}

function descriptionOf({ service, stack, spec, plan, environment }: ContainerOptions): Docker.ContainerCreateOptions {
  const isAlone = plan.network !== 'host';
  const inside = passedInside.flatMap((name) =>
    environment[name] === undefined ? [] : [`${name}=${environment[name]}`],
  );
  const published = isAlone ? spec.ports : [];
  const ports = [...new Set(published.map(({ port }) => port))];
  const bindings = (port: number) =>
    published.filter((each) => each.port === port).map(({ host }) => ({ HostIp: host, HostPort: String(port) }));
  return {
    // One that is just being removed still has its name.
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
      // The supervisor reads and keeps what they write.
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
  const gone = container.wait({ condition: 'removed' });
  // It rejects when the engine ends, and is awaited only below.
  gone.catch(() => undefined);
  await container.start();
  const { State } = await container.inspect();
  const exited = gone
    .then(
      (answer: unknown) => exitOf(answer),
      (): Exit => ({ code: null, signal: null }),
    )
    .then(async (exit) => {
      await output;
      return exit;
    });
  let isPaused = false;
  const resume = async (): Promise<void> => {
    if (!isPaused) return;
    isPaused = false;
    await container.unpause();
  };
  return {
    // The identity of a process would outlive the engine's own removal; containers are found by their labels.
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
      // One that cannot go on does not answer, and is replaced for that.
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
  const ofLog = (line: string) => options.onLine(line, 'stdout');
  await Promise.all([
    deliverLines(out, (line) => {
      const message = line.startsWith(reportMark) ? readMessage(line.slice(reportMark.length)) : undefined;
      if (message === undefined) ofLog(line);
      else options.onMessage(message);
    }),
    deliverLines(err, (line) => options.onLine(line, 'stderr')),
  ]);
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
  // One that has just ended is not there any more; `exited` tells.
  const signal = (name: string) =>
    container.kill({ signal: name }).catch((error: unknown) => {
      if (!isGone(error)) throw error;
    });
  await resume();
  const kill = setTimeout(() => {
    isForced = true;
    void signal('SIGKILL');
  }, graceMs);
  await signal('SIGTERM');
  await exited;
  clearTimeout(kill);
  return isForced;
}
