import { openThread, type Thread, type ThreadParts } from './open-thread.js';

export interface ThreadsParts extends ThreadParts {
  /** How long a thread without work is kept. */
  readonly idleMs: number;
}

/** The threads of a judge, shared by its lanes: a thread that is there serves whichever lane has a question. */
export interface Threads {
  /** A thread without work; a new one where all have some. Whoever takes it gives it back or ends it. */
  take(): Thread;
  giveBack(thread: Thread): void;
  /** Ends the threads without work. */
  close(): Promise<void>;
}

/** No thread is there until one is needed: each takes processor time to start, and memory. */
export function createThreads(parts: ThreadsParts): Threads {
  /** The one that worked last is the last, and the first to be taken, so that the others are ended. */
  const idle: { readonly thread: Thread; readonly timer: NodeJS.Timeout }[] = [];

  function drop(thread: Thread): void {
    const place = idle.findIndex((each) => each.thread === thread);
    if (place >= 0) idle.splice(place, 1);
    void thread.end();
  }

  return {
    take() {
      for (;;) {
        const last = idle.pop();
        if (last === undefined) return openThread(parts);
        clearTimeout(last.timer);
        if (!last.thread.hasEnded()) return last.thread;
      }
    },
    giveBack(thread) {
      idle.push({ thread, timer: setTimeout(() => drop(thread), parts.idleMs).unref() });
    },
    async close() {
      const all = idle.splice(0);
      for (const { timer } of all) clearTimeout(timer);
      await Promise.all(all.map(({ thread }) => thread.end()));
    },
  };
}
