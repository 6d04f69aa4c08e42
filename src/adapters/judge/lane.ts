import type { JudgementOutcome } from '../../domain/judgement.js';
import { type Asking, JudgeError } from '../../ports/judge.js';
import type { Question } from './open-thread.js';
import { startLimit } from './processor-limit.js';
import type { Threads } from './threads.js';

/** A queue of judgements, of which one runs at a time. */
export interface Lane {
  /** Rejects with JudgeError. */
  ask(question: Question, asking: Asking): Promise<JudgementOutcome>;
  close(): Promise<void>;
}

interface Job {
  readonly question: Question;
  readonly limitMs: number;
  readonly resolve: (outcome: JudgementOutcome) => void;
  readonly reject: (error: JudgeError) => void;
}

/** The running job, and how to give it up. */
interface Current {
  readonly job: Job;
  giveUp(error: JudgeError): Promise<void>;
}

/** Creates an empty lane. */
export function createLane(threads: Threads, maxWaiting: number): Lane {
  const waiting: Job[] = [];
  let current: Current | undefined;
  let isClosed = false;

  function next(): void {
    if (current !== undefined) return;
    const job = waiting.shift();
    if (job === undefined) return;
    current = begin(threads, job, () => {
      current = undefined;
      next();
    });
  }

  function abort(job: Job): void {
    const place = waiting.indexOf(job);
    if (place >= 0) waiting.splice(place, 1);
    if (job === current?.job) void current.giveUp(stopped());
    else job.reject(stopped());
  }

  return {
    async ask(question, { limitMs, signal }) {
      if (isClosed || signal?.aborted === true) throw stopped();
      if (waiting.length >= maxWaiting) throw new JudgeError('busy', `${maxWaiting} questions wait already`);
      let onAbort = (): void => undefined;
      const outcome = new Promise<JudgementOutcome>((resolve, reject) => {
        const job = { question, limitMs, resolve, reject };
        onAbort = () => abort(job);
        waiting.push(job);
      });
      signal?.addEventListener('abort', onAbort, { once: true });
      next();
      return outcome.finally(() => signal?.removeEventListener('abort', onAbort));
    },
    async close() {
      isClosed = true;
      for (const job of waiting.splice(0)) job.reject(stopped());
      await current?.giveUp(stopped());
    },
  };
}

/** Starts a job on a thread; calls `onOver` when the thread no longer works for it. */
function begin(threads: Threads, job: Job, onOver: () => void): Current {
  const thread = threads.take();
  const { question, limitMs, resolve, reject } = job;
  let isGivenUp = false;
  const giveUp = async (error: JudgeError): Promise<void> => {
    isGivenUp = true;
    stopLimit();
    const ended = thread.end();
    reject(error);
    onOver();
    await ended;
  };
  const stopLimit = startLimit(thread, limitMs, () => {
    void giveUp(new JudgeError('late', `It did not end within ${limitMs} ms`));
  });
  thread.ask(question).then(
    (outcome) => {
      if (isGivenUp) return;
      stopLimit();
      threads.giveBack(thread);
      resolve(outcome);
      onOver();
    },
    (error: JudgeError) => {
      if (isGivenUp) return;
      stopLimit();
      reject(error);
      onOver();
    },
  );
  return { job, giveUp };
}

function stopped(): JudgeError {
  return new JudgeError('stopped', 'The caller no longer waits');
}
