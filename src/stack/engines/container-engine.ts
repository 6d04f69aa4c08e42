import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type Docker from 'dockerode';
import type { EngineAddress } from '../../supervisor/plan.js';
import { StackError } from '../error.js';

/** The container engine of this user, as it was found. */
export interface Engine {
  readonly address: EngineAddress;
  /** The address as users write it. */
  readonly url: string;
  readonly docker: Docker;
  /** `Docker 28.0.1`, for people. */
  readonly title: string;
  readonly isPodman: boolean;
  /** Whether it runs without privileges, as this user. */
  readonly isRootless: boolean;
}

export type EngineEnvironment = Readonly<Record<string, string | undefined>>;

/** The oldest supported version of the API: Docker 19.03, Podman 3. */
const minApi = [1, 40] as const;
const answerLimitMs = 5_000;
const setting = 'runtime: docker';

/**
 * Finds the engine and its properties: the engine of `DOCKER_HOST`, of the current context, or at a usual socket of
 * Docker or Podman.
 *
 * @throws StackError ENGINE_UNAVAILABLE: absent, too old, on another machine, or not for this user
 */
export async function requireEngine(environment: EngineEnvironment): Promise<Engine> {
  const url = await urlOf(environment);
  const address = addressOf(url);
  const { openEngine } = await import('../../supervisor/engine.js');
  const docker = openEngine(address);
  const answers = Promise.all([docker.version(), infoOf(docker)]);
  const [version, info] = await inTime(answers).catch((cause: unknown) => {
    throw refusal(url, cause);
  });
  const [major = 0, minor = 0] = String(version.ApiVersion).split('.').map(Number);
  if (major < minApi[0] || (major === minApi[0] && minor < minApi[1])) {
    const needed = minApi.join('.');
    const found = `its API is ${version.ApiVersion}, not ${needed} or newer`;
    const text = `${setting}: the engine at ${url} is too old: ${found}.`;
    throw new StackError('ENGINE_UNAVAILABLE', text, { hint: 'Install Docker 19.03 or Podman 3, or newer.' });
  }
  const isPodman = version.Components?.some(({ Name }) => /podman/i.test(Name)) === true;
  const options: unknown = info instanceof Object ? Reflect.get(info, 'SecurityOptions') : [];
  const isRootless = Array.isArray(options) && options.some((each) => /rootless/.test(String(each)));
  const title = `${isPodman ? 'Podman' : 'Docker'} ${version.Version}`;
  return { address, url, docker, title, isPodman, isRootless };
}

async function infoOf(docker: Docker): Promise<unknown> {
  const info: unknown = await docker.info();
  return info;
}

/** @throws Error if there is no answer in time: another program may listen there */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  const late = sleep(answerLimitMs, undefined, { ref: false }).then(() => Promise.reject(new Error('no answer')));
  return Promise.race([answer, late]);
}

function refusal(url: string, cause: unknown): StackError {
  const code: unknown = cause instanceof Error ? Reflect.get(cause, 'code') : undefined;
  if (code === 'EACCES' || code === 'EPERM') {
    const text = `${setting}: this user may not open the socket of the engine, ${url}.`;
    const hint = 'Join the group of the socket (docker) and log in again, or use a rootless engine.';
    return new StackError('ENGINE_UNAVAILABLE', text, { hint, cause });
  }
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StackError('ENGINE_UNAVAILABLE', `${setting}: no container engine answers at ${url}: ${reason}.`, {
    hint: 'Start Docker or Podman, name another with DOCKER_HOST, or set runtime: process.',
    cause,
  });
}

async function urlOf(environment: EngineEnvironment): Promise<string> {
  const given = environment['DOCKER_HOST'];
  if (given) return given;
  const ofContext = await contextUrl(environment);
  if (ofContext !== undefined) return ofContext;
  const { XDG_RUNTIME_DIR: runtime, HOME: home } = environment;
  const sockets = [
    '/var/run/docker.sock',
    ...(runtime ? [join(runtime, 'docker.sock')] : []),
    ...(home ? [join(home, '.docker', 'run', 'docker.sock')] : []),
    ...(runtime ? [join(runtime, 'podman', 'podman.sock')] : []),
    '/run/podman/podman.sock',
  ];
  for (const socket of sockets)
    if ((await stat(socket).catch(() => undefined)) !== undefined) return `unix://${socket}`;
  return `unix://${sockets[0]}`;
}

/** The endpoint of Docker's current context; undefined for its default. */
async function contextUrl({ DOCKER_CONTEXT, DOCKER_CONFIG, HOME }: EngineEnvironment): Promise<string | undefined> {
  const folder = DOCKER_CONFIG || (HOME && join(HOME, '.docker'));
  if (!folder) return undefined;
  const name = DOCKER_CONTEXT || (await member(join(folder, 'config.json'), 'currentContext'));
  if (typeof name !== 'string' || name === '' || name === 'default') return undefined;
  const hash = createHash('sha256').update(name).digest('hex');
  const url = await member(join(folder, 'contexts', 'meta', hash, 'meta.json'), 'Endpoints', 'docker', 'Host');
  if (typeof url === 'string') return url;
  throw new StackError('ENGINE_UNAVAILABLE', `${setting}: Docker's context ${name} names no engine.`, {
    hint: 'Choose another: docker context use NAME',
  });
}

async function member(file: string, ...path: readonly string[]): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const { parse } = await import('yaml');
  // JSON is valid YAML.
  return path.reduce(
    (value: unknown, key) => (value instanceof Object ? Reflect.get(value, key) : undefined),
    parse(text),
  );
}

function addressOf(url: string): EngineAddress {
  const [, socketPath] = /^unix:\/\/(.+)$/.exec(url) ?? [];
  if (socketPath !== undefined) return { socketPath };
  const [, host, port] = /^(?:tcp|http):\/\/([^:/]+|\[[^\]]+\]):(\d+)\/?$/.exec(url) ?? [];
  if (host !== undefined && ['127.0.0.1', 'localhost', '[::1]'].includes(host)) return { host, port: Number(port) };
  throw new StackError('ENGINE_UNAVAILABLE', `${setting}: the engine ${url} is not on this machine.`, {
    hint: 'Containers use files of this machine: name a socket here with DOCKER_HOST=unix:///PATH.',
  });
}
