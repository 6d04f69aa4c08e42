import type { ServerResponse } from 'node:http';
import { type Identity, identify, isAlive, killGroup } from './identity.js';

/** The claim of one process on a stack that exists for it alone. */
export interface Lease {
  /** Binds the lease to the connection of this response, which stays open; false when another connection has it. */
  hold(response: ServerResponse): boolean;
  /** Names the process that uses the stack; it ends with the stack when the lease is lost. False when it is gone. */
  setJob(pid: number): Promise<boolean>;
  /** Makes the stack a lasting one: the connection may close now. */
  keep(): void;
  /** Whether the stack must be deleted: its owner left without keeping it. */
  isLost(): boolean;
  /** Stops watching: from now on the state of the lease stays. Resolves when the job of a lost one is gone. */
  close(): Promise<void>;
}

interface LeaseOptions {
  /** The process that will connect; it may die before. */
  readonly owner: Identity;
  /** Called once, when the lease is lost. */
  readonly onLost: () => void;
  readonly pollMs?: number;
}

const defaultPollMs = 250;
const killLimitMs = 5_000;

/**
 * Watches over the owner of a stack: at first its process, then its connection, which the system closes however the
 * owner ends.
 */
export function createLease({ owner, onLost, pollMs = defaultPollMs }: LeaseOptions): Lease {
  let state: 'awaited' | 'held' | 'kept' | 'lost' | 'closed' = 'awaited';
  let job: Identity | undefined;
  let jobEnd: Promise<unknown> = Promise.resolve();

  const lose = (): void => {
    clearInterval(watch);
    state = 'lost';
    if (job !== undefined) jobEnd = killGroup(job, killLimitMs);
    onLost();
  };
  const watch = setInterval(() => {
    void isAlive(owner).then((lives) => {
      if (!lives && state === 'awaited') lose();
    });
  }, pollMs);

  return {
    hold: (response) => {
      if (state !== 'awaited') return false;
      clearInterval(watch);
      state = 'held';
      response.once('close', () => {
        if (state === 'held') lose();
      });
      return true;
    },
    setJob: async (pid) => {
      job = await identify(pid);
      return job !== undefined;
    },
    keep: () => {
      if (state === 'held') state = 'kept';
    },
    isLost: () => state === 'lost',
    close: async () => {
      clearInterval(watch);
      if (state !== 'lost') state = 'closed';
      await jobEnd;
    },
  };
}
