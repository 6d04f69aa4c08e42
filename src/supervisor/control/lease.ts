import type { ServerResponse } from 'node:http';
import { type Identity, identify, isAlive, killGroup } from '../machine/identity.js';

/** The claim of one process on a temporary stack. */
export interface Lease {
  /** Binds the lease to the connection of this response, which stays open; false if another connection has it. */
  hold(response: ServerResponse): boolean;
  /** Sets the process that uses the stack; it is ended with the stack if the lease is lost. False if it is gone. */
  setJob(pid: number): Promise<boolean>;
  /** Makes the stack permanent; the connection may close. */
  keep(): void;
  /** Whether the stack must be deleted, because its owner left without keeping it. */
  isLost(): boolean;
  /** Stops watching; the state of the lease no longer changes. Resolves when the job of a lost lease is gone. */
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
 * Watches the owner of a stack: at first its process, then its connection, which the system closes however the owner
 * ends.
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
    void isAlive(owner).then(
      (lives) => {
        if (!lives && state === 'awaited') lose();
      },
      // It cannot be told now, as with too many open files, and is looked at again.
      () => undefined,
    );
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
