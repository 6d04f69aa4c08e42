import { openThread, type Thread, type ThreadParts } from './open-thread.js';

export interface ThreadsParts extends ThreadParts {
  /** How long an idle thread is kept. */
  readonly idleMs: number;
}

/** The threads of a judge, shared by its lanes. */
export interface Threads {
  /** Returns an idle thread, or a new one. The caller must give it back or end it. */
  take(): Thread;
  giveBack(thread: Thread): void;
  /** Ends the idle threads. */
  close(): Promise<void>;
}

/** Creates the threads, each on demand, since a thread takes memory, and processor time to start. */
export function createThreads(parts: ThreadsParts): Threads {
  /** Idle threads in the order of their last work; the last one is reused first, so that the others time out. */
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
