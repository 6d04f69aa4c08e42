import type { Clock } from '../ports/clock.js';
import type { Failpoint } from '../ports/failpoint.js';
import type { Log } from '../ports/log.js';
import { writeConfigFile } from './config-file.js';
import { checkGraph, isStartable, stopGroups } from './graph.js';
import type { Identity } from './identity.js';
import { writeJsonFile } from './json-file.js';
import type { Logs } from './logs.js';
import type { Plan, Spec } from './plan.js';
import type { Probe } from './probe.js';
import { type Child, type ChildMessage, startChild } from './process.js';
import { createService, type Service } from './service.js';
import { controlProtocol, type ServiceState, type SupervisorStatus } from './view.js';

export interface Supervisor {
  /** Starts every service as soon as what it waits for has come about. */
  start(): void;
  status(): SupervisorStatus;
  /** Calls the listener with the status after every change, until the returned function is called. */
  subscribe(listener: (status: SupervisorStatus) => void): () => void;
  /** The service of this name, to start and stop it alone; undefined if the plan has none. */
  service(name: string): Service | undefined;
  /**
   * Stops everything, dependents first, and resolves with the names that had to be killed. With a grace of 0 nothing
   * is waited for: what the services have on disk is not wanted any more.
   */
  stop(graceMs?: number): Promise<string[]>;
}

export interface SupervisorOptions {
  readonly plan: Plan;
  /** Our own. */
  readonly identity: Identity;
  /** The environment of every child. */
  readonly environment: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly probe: Probe;
  /** Processor time of a process's main thread, in milliseconds; undefined where nobody can tell. */
  readonly workOf: (pid: number) => Promise<number | undefined>;
  readonly log: Log;
  readonly logs: Logs;
  readonly failpoint: Failpoint;
}

/**
 * Runs a plan: the services in the order of their conditions, each kept alive on its own, and what is known of them
 * in the state file, so that the next supervisor can tell what this one left behind.
 *
 * @throws Error when the plan can never be carried out
 */
export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { plan, clock, log, logs } = options;
  checkGraph(plan);
  const startedAt = clock.now();
  const listeners = new Set<(status: SupervisorStatus) => void>();
  let state: SupervisorStatus['state'] = 'running';
  let isStarted = false;
  let announced: NodeJS.Immediate | undefined;

  const status = (): SupervisorStatus => ({
    ...{ protocol: controlProtocol, stack: plan.stack, name: plan.name, identity: options.identity, startedAt, state },
    lostLogLines: logs.lost(),
    services: [...services.values()].map((service) => service.view()),
  });
  const record = createRecorder(() => writeJsonFile(plan.stateFile, status()));

  const tell = (): void => {
    clearImmediate(announced);
    announced = undefined;
    const now = status();
    for (const listener of listeners) listener(now);
  };
  const onChange = (): void => {
    if (isStarted && state === 'running') startWhatMay(plan, services);
    announced ??= setImmediate(() => {
      tell();
      // The file is for whoever comes after us; what it says must be true before each spawn, which `launch` waits for.
      record().catch((error: unknown) => {
        log.error('The state file cannot be written', { error: String(error) });
      });
    });
  };
  const launch = (spec: Spec, onMessage: (message: ChildMessage) => void): Promise<Child> =>
    launchProgram(spec, onMessage, { ...options, record, portOf: (name) => services.get(name)?.view().port });
  const services = new Map<string, Service>(
    plan.services.map((spec) => [spec.name, createService({ ...options, spec, launch, onChange })]),
  );

  const stop = async (graceMs: number | undefined): Promise<string[]> => {
    state = 'stopping';
    onChange();
    const forced = await stopAll(plan, services, graceMs);
    // The last word: whoever waits for this may remove the directory.
    tell();
    await record();
    return forced;
  };

  let stopping: Promise<string[]> | undefined;
  return {
    start: () => {
      isStarted = true;
      startWhatMay(plan, services);
    },
    status,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    service: (name) => services.get(name),
    stop: (graceMs) => (stopping ??= stop(graceMs)),
  };
}

function startWhatMay(plan: Plan, services: ReadonlyMap<string, Service>): void {
  const stateOf = (name: string): ServiceState => services.get(name)?.view().state ?? 'pending';
  for (const spec of plan.services) {
    const isWanted = spec.type === 'service' || !spec.onRequest;
    if (isWanted && stateOf(spec.name) === 'pending' && isStartable(spec, stateOf)) services.get(spec.name)?.start();
  }
}

async function stopAll(
  plan: Plan,
  services: ReadonlyMap<string, Service>,
  graceMs: number | undefined,
): Promise<string[]> {
  const forced: string[] = [];
  for (const group of stopGroups(plan)) {
    const ends = group.map(async (name) => {
      if ((await services.get(name)?.stop(graceMs)) === true) forced.push(name);
    });
    await Promise.all(ends);
  }
  return forced;
}

interface LaunchOptions extends SupervisorOptions {
  readonly record: () => Promise<void>;
  readonly portOf: (name: string) => number | null | undefined;
}

async function launchProgram(
  spec: Spec,
  onMessage: (message: ChildMessage) => void,
  { record, portOf, environment, logs, failpoint }: LaunchOptions,
): Promise<Child> {
  // The first start of a service whose port the system chooses asks for any; every later one for the same again.
  await writeConfigFile(spec.config, (name) => portOf(name) ?? (name === spec.name ? 0 : undefined));
  await record();
  await failpoint.reach('supervisor.after-state');
  const child = await startChild({
    program: spec.program,
    arguments: spec.arguments,
    environment,
    onMessage,
    onLine: (line, stream) => {
      logs.write(spec.name, line, stream);
    },
  });
  await failpoint.reach('supervisor.after-spawn');
  return child;
}

/** Calls `write` so that after each call's promise what was true at the call is written, with one write at a time. */
function createRecorder(write: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= current.then(
      () => begin(),
      () => begin(),
    );
    return next;
  };
  function begin(): Promise<void> {
    next = undefined;
    current = write();
    return current;
  }
}
