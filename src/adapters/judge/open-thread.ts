import { Worker } from 'node:worker_threads';
import type { Outcome } from '../../domain/judgement.js';
import { JudgeError } from '../../ports/judge.js';
import type { Log } from '../../ports/log.js';

export interface ThreadParts {
  readonly name: string;
  readonly log: Log;
  /** The program of the thread. */
  readonly thread: URL;
  /** What the thread may keep of objects before it is ended. */
  readonly maxHeapMiB: number;
}

/** A thread that answers one question after the other. */
export interface Thread {
  post(question: unknown): void;
  /** Ends it, whatever it is at; nothing is heard of it any more. */
  end(): Promise<void>;
}

export interface ThreadEvents {
  readonly onOutcome: (outcome: Outcome) => void;
  /** It has ended by itself. */
  readonly onDeath: (error: JudgeError) => void;
}

/** Starts a thread. It keeps no process alive: who waits for it does. */
export function openThread({ name, log, thread, maxHeapMiB }: ThreadParts, events: ThreadEvents): Thread {
  const worker = new Worker(thread, { name: `judge ${name}`, resourceLimits: { maxOldGenerationSizeMb: maxHeapMiB } });
  let isOver = false;
  let cause: unknown;
  worker.on('message', (outcome: Outcome) => {
    if (!isOver) events.onOutcome(outcome);
  });
  worker.on('error', (error) => {
    cause = error;
  });
  worker.on('exit', (code) => {
    if (isOver) return;
    isOver = true;
    const reason = cause instanceof Error ? cause.message : `code ${code}`;
    log.warn('A thread that judges has died', { lane: name, reason });
    events.onDeath(new JudgeError('died', `The thread that judged it has died: ${reason}`, { cause }));
  });
  worker.unref();
  return {
    post: (question) => worker.postMessage(question),
    async end() {
      isOver = true;
      await worker.terminate();
    },
  };
}
