import assert from 'node:assert';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createSystemClock } from '../adapters/clock/system.js';
import { createArmedFailpoint } from '../adapters/failpoint/armed.js';
import { acquireLock } from '../adapters/files/lock.js';
import { type Running, runProgram } from '../http/program.js';
import type { Log } from '../ports/log.js';
import { readConfig, type SupervisorConfig } from './config.js';
import { openControl } from './control/control.js';
import { identify } from './machine/identity.js';
import { createLease } from './control/lease.js';
import { endOrphans } from './machine/orphans.js';
import { createOwnLog } from './files/log.js';
import { createLogs, type Logs } from './files/logs.js';
import type { Plan } from './plan.js';
import { createProbe } from './services/probe.js';
import { mainThreadMs } from './machine/processor-time.js';
import { createSupervisor } from './supervisor.js';
import { type LoadJoins, openViewSocket } from './control/view-socket.js';

const maxStopMs = 60_000;

/**
 * Runs a supervisor process, which carries out the plan in a file until it is asked to stop. A parent that starts it
 * with an IPC channel may still be writing the plan; it sends `{type:'begin'}` when the file is complete.
 */
export async function main(planFile: string | undefined, loadJoins: LoadJoins): Promise<void> {
  if (!(await waitForPlan())) return;
  // Files created by the supervisor and its children are private to the user.
  process.umask(0o077);
  const config = await readConfig(planFile);
  const clock = createSystemClock();
  const logs = createLogs({ ...config.plan.logs, now: () => clock.now() });
  const log = createOwnLog(logs, () => clock.now());
  await runProgram({
    name: 'supervisor',
    log,
    stopsWithInput: false,
    maxStopMs,
    start: () => start(config, { logs, log, loadJoins }),
  });
}

/** Resolves with true once the parent has written the plan, with false if it ends or disconnects before. */
function waitForPlan(): Promise<boolean> {
  return new Promise((resolve) => {
    if (process.send === undefined) resolve(true);
    else if (!process.connected) resolve(false);
    process.once('message', () => {
      resolve(true);
    });
    process.once('disconnect', () => {
      resolve(false);
    });
  });
}

interface StartParts {
  readonly logs: Logs;
  readonly log: Log;
  readonly loadJoins: LoadJoins;
}

async function start(config: SupervisorConfig, { logs, log, loadJoins }: StartParts): Promise<Running> {
  const { plan, readPlan, environment, failpoints } = config;
  const identity = await identify(process.pid);
  assert(identity !== undefined, 'a process that runs can be identified');
  // Two supervisors may start at once if a command that had just started one was killed.
  const unlock = await acquireLock(join(dirname(plan.stateFile), 'supervisor'));
  await endOrphans(plan.stateFile, (sentence, fields) => {
    log.warn(sentence, fields);
  });
  const network = await openNetwork(plan);
  const probe = createProbe();
  const failpoint = createArmedFailpoint(failpoints);
  const clock = createSystemClock();
  const supervisor = createSupervisor({
    plan,
    identity,
    environment,
    clock,
    probe,
    mainThreadMs,
    log,
    logs,
    failpoint,
  });
  let isEnding = false;
  // A second signal would end this process before it has stopped its children.
  const end = (): void => {
    if (!isEnding) process.kill(process.pid, 'SIGTERM');
    isEnding = true;
  };
  const lease = plan.lease && createLease({ owner: plan.lease.owner, onLost: end });
  const control = await openControl({ socket: plan.socket, readPlan, supervisor, logs, lease, log, onStopped: end });
  const viewParts = { supervisor, loadJoins, log };
  const view = plan.view === undefined ? undefined : await openViewSocket({ ...plan.view, ...viewParts });
  supervisor.start();
  return {
    stop: async () => {
      isEnding = true;
      await supervisor.stop(lease?.isLost() === true ? 0 : undefined);
      await lease?.close();
      probe.close();
      await network.close();
      await view?.close();
      await control.close();
      logs.close();
      await unlock();
      if (plan.lease !== undefined && lease?.isLost() === true) {
        await rm(plan.lease.directory, { recursive: true, force: true, maxRetries: 3 });
      }
    },
  };
}

/** Removes the containers that an earlier supervisor has left, and creates the network of new ones. */
async function openNetwork({ containers, stack }: Plan): Promise<{ close(): Promise<void> }> {
  if (containers === undefined) return { close: () => Promise.resolve() };
  const { createNetwork, openEngine, removeObjects } = await import('./engine.js');
  const engine = openEngine(containers.engine);
  await removeObjects(engine, stack);
  await createNetwork(engine, containers, stack);
  return { close: () => removeObjects(engine, stack) };
}
