import { Worker } from 'node:worker_threads';
import type { InputOf, Kind, JudgementOutcome } from '../../domain/judgement.js';
import { JudgeError } from '../../ports/judge.js';
import type { Log } from '../../ports/log.js';
import { processorTimes } from './processor-times.js';

export interface ThreadParts {
  readonly log: Log;
  /** The program of the thread. */
  readonly thread: URL;
  /** Heap size at which the thread is ended. */
  readonly maxHeapMiB: number;
}

export interface Question {
  readonly kind: Kind;
  readonly input: InputOf<Kind>;
}

/** A thread that answers questions one after the other. */
export interface Thread {
  /** Asks a question; the previous one must be answered. Rejects with JudgeError `died` if the thread ends first. */
  ask(question: Question): Promise<JudgementOutcome>;
  hasEnded(): boolean;
  /** CPU time used so far, in milliseconds; undefined if the system does not provide it. */
  processorMs(): number | undefined;
  /** Ends the thread, whatever it is doing. */
  end(): Promise<void>;
}

/** The thread's messages: first its id, then answers. */
type Message = { readonly threadId: number | undefined } | JudgementOutcome;

interface Asked {
  readonly resolve: (outcome: JudgementOutcome) => void;
  readonly reject: (error: JudgeError) => void;
}

/** Starts a thread. It does not keep the process alive. */
export function openThread({ log, thread, maxHeapMiB }: ThreadParts): Thread {
  const worker = new Worker(thread, { name: 'judge', resourceLimits: { maxOldGenerationSizeMb: maxHeapMiB } });
  let asked: Asked | undefined;
  let isEnding = false;
  let hasEnded = false;
  let cause: unknown;
  let threadId: number | undefined;
  worker.on('message', (message: Message) => {
    if ('threadId' in message) {
      threadId = message.threadId;
      return;
    }
    const answered = asked;
    asked = undefined;
    answered?.resolve(message);
  });
  worker.on('error', (error) => {
    cause = error;
  });
  worker.on('exit', (code) => {
    hasEnded = true;
    const reason = cause instanceof Error ? cause.message : `code ${code}`;
    if (!isEnding) log.warn('A judging thread has died', { reason });
    asked?.reject(new JudgeError('died', `The thread that judged it has died: ${reason}`, { cause }));
  });
  worker.unref();
  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        asked = { resolve, reject };
        worker.postMessage(question);
      }),
    hasEnded: () => hasEnded,
    processorMs: () => (threadId === undefined ? undefined : processorTimes(threadId)?.usedMs),
    async end() {
      isEnding = true;
      await worker.terminate();
    },
  };
}
