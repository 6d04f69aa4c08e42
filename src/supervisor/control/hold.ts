import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import { waitUntilStill } from '../machine/identity.js';
import { type Call, sendJson } from './socket-server.js';
import type { Supervisor } from '../supervisor.js';
import type { ServiceView } from './view.js';

/** Holds all services still while somebody copies their files. */
export interface Hold {
  /**
   * Pauses every service that works and answers 200 once each has stopped; the answer stays open, and with its end the
   * services go on. It also ends, early, when one of them moves, and after a minute.
   */
  take(call: Call): Promise<void>;
  /** Whether somebody holds them, and nothing has moved since. */
  isWhole(): boolean;
}

interface HoldOptions {
  readonly supervisor: Supervisor;
  readonly clock: Clock;
  readonly log: Log;
  /** The longest that a hold lasts. */
  readonly limitMs?: number;
}

const defaultLimitMs = 60_000;
const stillLimitMs = 5_000;

/** Whether nothing of a service moves: it has no process, or one that is paused. */
function isAtRest({ state, pid }: ServiceView): boolean {
  return state === 'paused' || pid === null;
}

/** No hold yet; there is one at a time. */
export function createHold({ supervisor, clock, log, limitMs = defaultLimitMs }: HoldOptions): Hold {
  let isTaken = false;
  let isWhole = false;

  /** Pauses what works, and notes in `paused` what to resume. Resolves with why not everything is still. */
  async function pauseAll(paused: string[]): Promise<string | undefined> {
    const moving = supervisor.status().services.filter((view) => !isAtRest(view));
    for (const { name } of moving) {
      if ((await supervisor.service(name)?.pause()) !== true) return `${name} cannot be paused now`;
      paused.push(name);
    }
    for (const { name, pid, isContainer } of supervisor.status().services) {
      // An engine answers when everything in the container stands still.
      if (pid !== null && isContainer !== true && !(await waitUntilStill(pid, stillLimitMs)))
        return `${name} does not come to rest`;
    }
    // One that was being restarted may have begun to move meanwhile.
    const late = supervisor.status().services.find((view) => !isAtRest(view));
    return late && `${late.name} has just been started`;
  }

  return {
    isWhole: () => isWhole,
    take: async ({ response }) => {
      if (isTaken) {
        sendJson(response, 409, { error: 'Another command holds the services.' });
        return;
      }
      isTaken = true;
      const paused: string[] = [];
      const left = new AbortController();
      response.once('close', () => left.abort());
      const unsubscribe = supervisor.subscribe(({ services }) => {
        if (!isWhole || services.every(isAtRest)) return;
        isWhole = false;
        response.destroy();
      });
      try {
        const problem = await pauseAll(paused);
        if (problem !== undefined) {
          sendJson(response, 409, { error: problem });
          return;
        }
        log.info('The services are held', { services: paused.length });
        isWhole = true;
        response.writeHead(200, { 'content-type': 'text/plain' });
        response.flushHeaders();
        // Its holder is gone, or has what it wanted.
        await clock.sleep(limitMs, left.signal);
        response.destroy();
      } finally {
        unsubscribe();
        isWhole = false;
        for (const name of paused) supervisor.service(name)?.resume();
        isTaken = false;
        log.info('The services go on', { services: paused.length });
      }
    },
  };
}
