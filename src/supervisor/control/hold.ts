import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import { waitUntilStill } from '../machine/identity.js';
import { type Call, sendJson } from './socket-server.js';
import type { Supervisor } from '../supervisor.js';
import type { ServiceView } from './view.js';

/** Pauses all services while a client copies their files. */
export interface Hold {
  /**
   * Pauses every running service and responds 200 once all are still. The response stays open; when it closes, the
   * services resume. It is closed from here if a service starts to run, and after a minute.
   */
  take(call: Call): Promise<void>;
  /** Whether a client holds the services, and none has run since. */
  isUnbroken(): boolean;
}

interface HoldOptions {
  readonly supervisor: Supervisor;
  readonly clock: Clock;
  readonly log: Log;
  /** Maximum duration of a hold. */
  readonly limitMs?: number;
}

const defaultLimitMs = 60_000;
const stillLimitMs = 5_000;

/** Whether a service has no process, or a paused one. */
function isAtRest({ state, pid }: ServiceView): boolean {
  return state === 'paused' || pid === null;
}

/** Creates the hold of a supervisor. One client at a time can take it. */
export function createHold({ supervisor, clock, log, limitMs = defaultLimitMs }: HoldOptions): Hold {
  let isTaken = false;
  let isUnbroken = false;

  /** Pauses the running services and appends them to `paused`. Resolves with the reason if not all are still. */
  async function pauseAll(paused: string[]): Promise<string | undefined> {
    const running = supervisor.status().services.filter((view) => !isAtRest(view));
    for (const { name, state } of running) {
      if ((await supervisor.service(name)?.pause()) !== true) return `${name} is ${state}, not healthy`;
      paused.push(name);
    }
    for (const { name, pid, isContainer } of supervisor.status().services) {
      // A container engine answers a pause only once the whole container is paused.
      if (pid !== null && isContainer !== true && !(await waitUntilStill(pid, stillLimitMs)))
        return `${name} did not stop within ${stillLimitMs / 1_000} s of its pause`;
    }
    // A service between two restarts had no process to pause.
    const late = supervisor.status().services.find((view) => !isAtRest(view));
    return late && `${late.name} has just been restarted`;
  }

  return {
    isUnbroken: () => isUnbroken,
    take: async ({ response }) => {
      if (isTaken) {
        sendJson(response, 409, { error: 'another command has paused it' });
        return;
      }
      isTaken = true;
      const paused: string[] = [];
      const left = new AbortController();
      response.once('close', () => left.abort());
      const unsubscribe = supervisor.subscribe(({ services }) => {
        if (!isUnbroken || services.every(isAtRest)) return;
        isUnbroken = false;
        response.destroy();
      });
      try {
        const problem = await pauseAll(paused);
        if (problem !== undefined) {
          sendJson(response, 409, { error: problem });
          return;
        }
        log.info('All services are paused for a copy', { services: paused.length });
        isUnbroken = true;
        response.writeHead(200, { 'content-type': 'text/plain' });
        response.flushHeaders();
        await clock.sleep(limitMs, left.signal);
        response.destroy();
      } finally {
        unsubscribe();
        isUnbroken = false;
        for (const name of paused) supervisor.service(name)?.resume();
        isTaken = false;
        log.info('The services are resumed', { services: paused.length });
      }
    },
  };
}
