import type { Clock } from '../ports/clock.js';
import type { Failpoint } from '../ports/failpoint.js';
import type { Log } from '../ports/log.js';
import type { AttemptOptions } from './services/attempt.js';
import { writeConfigFile } from './files/config-file.js';
import { checkGraph, isStartable, stopGroups } from './services/graph.js';
import { environmentOf } from './machine/environment.js';
import type { Identity } from './machine/identity.js';
import { writeJsonFile } from './files/json-file.js';
import type { Logs } from './files/logs.js';
import type { Plan, Spec } from './plan.js';
import type { Probe } from './services/probe.js';
import { type Child, type ChildMessage, type ChildOptions, startChild } from './services/process.js';
import { createService, type Service } from './services/service.js';
import { controlProtocol, type ServiceState, type SupervisorStatus } from './control/view.js';

export interface Supervisor {
  /** Starts every service as soon as its conditions hold. */
  start(): void;
  status(): SupervisorStatus;
  /** Calls the listener with the status after every change, until the returned function is called. */
  subscribe(listener: (status: SupervisorStatus) => void): () => void;
  /** The service of this name, to start and stop it individually; undefined if the plan has none. */
  service(name: string): Service | undefined;
  plan(): Plan;
  /**
   * Adopts an extended plan: new services are started as soon as their conditions hold, existing ones get their new
   * configuration at their next start, and the tasks named in `again` run once more at once.
   *
   * @throws Error if the plan cannot be carried out, is another stack's, or lacks a running service
   */
  adopt(plan: Plan, again: readonly string[]): void;
  /**
   * Stops everything, dependents first, and resolves with the names that had to be killed. A grace period of 0 kills at
   * once, for a stack whose data is no longer needed.
   */
  stop(graceMs?: number): Promise<string[]>;
}

export interface SupervisorOptions {
  readonly plan: Plan;
  /** The supervisor's own identity. */
  readonly identity: Identity;
  /** The environment of the children, as far as each uses it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly probe: Probe;
  /** CPU time of a process's main thread, in milliseconds; undefined if the system does not provide it. */
  readonly mainThreadMs: (pid: number) => number | undefined;
  readonly log: Log;
  readonly logs: Logs;
  readonly failpoint: Failpoint;
}

/**
 * Creates the supervisor, which runs a plan: starts the services in the order of their conditions, keeps each alive,
 * and records their state in a file, by which the next supervisor finds leftovers.
 *
 * @throws Error if the plan cannot be carried out
 */
export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { clock, log, logs } = options;
  let { plan } = options;
  checkGraph(plan);
  const startedAt = clock.now();
  const { notify, subscribe } = createListeners();
  let state: SupervisorStatus['state'] = 'running';
  let isStarted = false;
  let announced: NodeJS.Immediate | undefined;
  const mayStart = (): boolean => state === 'running';

  const status = (): SupervisorStatus => ({
    protocol: controlProtocol,
    stack: plan.stack,
    name: plan.name,
    identity: options.identity,
    startedAt,
    state,
    lostLogLines: logs.lost(),
    services: [...services.values()].map((service) => service.view()),
  });
  const record = createRecorder(() => writeJsonFile(plan.stateFile, status()));

  const publish = (): void => {
    clearImmediate(announced);
    announced = undefined;
    notify(status());
  };
  const onChange = (): void => {
    if (isStarted && mayStart()) startEligible(plan, services);
    announced ??= setImmediate(() => {
      publish();
      // The file is for the next supervisor; it must be up to date before each spawn, which `launch` waits for.
      record().catch((error: unknown) => {
        log.error('The state file cannot be written', { error: String(error) });
      });
    });
  };
  const portOf = (name: string) => services.get(name)?.view().port;
  const launch: AttemptOptions['launch'] = (spec, onMessage) =>
    launchProgram(current(spec), onMessage, { ...options, plan, record, portOf });
  const current = (spec: Spec): Spec => plan.services.find(({ name }) => name === spec.name) ?? spec;
  const create = (spec: Spec): Service => createService({ ...options, spec, launch, mayStart, onChange });
  const services = new Map<string, Service>(plan.services.map((spec) => [spec.name, create(spec)]));

  const stop = async (graceMs: number | undefined): Promise<string[]> => {
    state = 'stopping';
    onChange();
    const forced = await stopAll(plan, services, graceMs);
    // The final state: after this the caller may delete the directory.
    publish();
    await record();
    return forced;
  };

  let stopping: Promise<string[]> | undefined;
  return {
    start: () => {
      isStarted = true;
      startEligible(plan, services);
    },
    status,
    subscribe,
    service: (name) => services.get(name),
    plan: () => plan,
    adopt: (next, again) => {
      requireExtension(plan, next);
      plan = next;
      for (const spec of plan.services) if (!services.has(spec.name)) services.set(spec.name, create(spec));
      // First, so that a new service that waits for one of these tasks does not see its earlier completion.
      for (const name of again) services.get(name)?.start();
      onChange();
    },
    stop: (graceMs) => (stopping ??= stop(graceMs)),
  };
}

function createListeners() {
  const listeners = new Set<(status: SupervisorStatus) => void>();
  return {
    notify: (status: SupervisorStatus): void => {
      for (const listener of listeners) listener(status);
    },
    subscribe: (listener: (status: SupervisorStatus) => void) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

/** @throws Error if `next` does not extend the current plan */
function requireExtension(plan: Plan, next: Plan): void {
  if (next.stack !== plan.stack) throw new Error('The new plan belongs to another stack.');
  checkGraph(next);
  const names = new Set(next.services.map(({ name }) => name));
  const gone = plan.services.find(({ name }) => !names.has(name));
  if (gone !== undefined) throw new Error(`The new plan lacks ${gone.name}, which the current one has.`);
}

function startEligible(plan: Plan, services: ReadonlyMap<string, Service>): void {
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
  readonly plan: Plan;
  readonly record: () => Promise<void>;
  readonly portOf: (name: string) => number | null | undefined;
}

async function launchProgram(
  spec: Spec,
  onMessage: (message: ChildMessage) => void,
  { plan, record, portOf, environment, logs, failpoint }: LaunchOptions,
): Promise<Child> {
  // The first start of a service whose port the system chooses requests any port; later starts request the same one.
  await writeConfigFile(spec.config, (name) => portOf(name) ?? (name === spec.name ? 0 : undefined));
  await record();
  await failpoint.reach('supervisor.after-state');
  const onLine = (line: string, stream: 'stdout' | 'stderr') => logs.write(spec.name, line, stream);
  const ownEnvironment = environmentOf(spec.kind, environment);
  const child = await startAny(spec, { plan, environment: ownEnvironment, onMessage, onLine });
  await failpoint.reach('supervisor.after-spawn');
  return child;
}

type StartParts = Pick<ChildOptions, 'environment' | 'onMessage' | 'onLine'> & { readonly plan: Plan };

/** Starts a service or task as its plan says: in a container, or as a process. */
async function startAny(spec: Spec, { plan, ...parts }: StartParts): Promise<Child> {
  if (spec.type === 'task' || spec.container === undefined || plan.containers === undefined) {
    return startChild({ ...parts, program: spec.program, arguments: spec.arguments });
  }
  const { startContainer } = await import('./services/container.js');
  const { stack, containers } = plan;
  return startContainer({ ...parts, service: spec.name, stack, spec: spec.container, plan: containers });
}

/**
 * Creates a function that calls `write`, never twice at the same time. Its promise resolves once the state at the time
 * of the call is written.
 */
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
