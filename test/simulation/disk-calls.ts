import { setImmediate } from 'node:timers/promises';

/** The calls to a real disk in a simulation. Their durations must not determine the order of events. */
export interface DiskCalls {
  /** Makes calls one after the other, so that they end in the order in which they were made. */
  inTurn<R>(call: () => Promise<R>): Promise<R>;
  /** Does work that makes calls of its own. */
  meanwhile<R>(work: () => Promise<R>): Promise<R>;
  /** Resolves when no call is on its way, and nothing that has been answered makes another. */
  settle(): Promise<void>;
}

/** A group of units begins in a later turn of the event loop than it is asked for. */
const quietTurns = 4;

export function createDiskCalls(): DiskCalls {
  let last: Promise<unknown> = Promise.resolve();
  let underWay = 0;

  async function meanwhile<R>(work: () => Promise<R>): Promise<R> {
    underWay += 1;
    try {
      return await work();
    } finally {
      underWay -= 1;
    }
  }

  return {
    meanwhile,
    inTurn: (call) =>
      meanwhile(() => {
        const answer = last.then(call);
        last = answer.catch(() => undefined); // an error is its caller's
        return answer;
      }),
    async settle() {
      for (let quiet = 0; quiet < quietTurns;) {
        await setImmediate();
        quiet = underWay === 0 ? quiet + 1 : 0;
      }
    },
  };
}
