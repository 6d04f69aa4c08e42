import type { InputOf, Kind, Outcome } from '../../domain/judgement.js';
import { type Asking, JudgeError } from '../../ports/judge.js';
import { openThread, type Thread, type ThreadParts } from './open-thread.js';

export interface LaneParts extends ThreadParts {
  readonly idleMs: number;
  readonly maxWaiting: number;
}

/** One thread with its queue. */
export interface Lane {
  /** Rejects with JudgeError. */
  ask(question: Question, asking: Asking): Promise<Outcome>;
  close(): Promise<void>;
}

export interface Question {
  readonly kind: Kind;
  readonly input: InputOf<Kind>;
}

interface Job {
  readonly question: Question;
  readonly limitMs: number;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: JudgeError) => void;
}

/** A lane without a thread, until somebody asks. */
export function createLane(parts: LaneParts): Lane {
  const { idleMs, maxWaiting } = parts;
  const waiting: Job[] = [];
  let current: Job | undefined;
  let thread: Thread | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function next(): void {
    if (current !== undefined) return;
    clearTimeout(timer);
    current = waiting.shift();
    if (current === undefined) {
      timer = setTimeout(() => void release(), idleMs).unref();
      return;
    }
    thread ??= openThread(parts, { onOutcome: (outcome) => end((job) => job.resolve(outcome)), onDeath: giveUp });
    thread.post(current.question);
    const { limitMs } = current;
    timer = setTimeout(() => giveUp(new JudgeError('late', `It did not end within ${limitMs} ms`)), limitMs).unref();
  }

  /** The question that the thread is at has its end; the next one begins. */
  function end(settle: (job: Job) => void): void {
    const job = current;
    current = undefined;
    if (job !== undefined) settle(job);
    next();
  }

  /** Whatever the thread is at, it is not waited for any more. */
  function giveUp(error: JudgeError): void {
    void release();
    end((job) => job.reject(error));
  }

  async function release(): Promise<void> {
    const released = thread;
    thread = undefined;
    await released?.end();
  }

  function abort(job: Job): void {
    const place = waiting.indexOf(job);
    if (place >= 0) waiting.splice(place, 1);
    if (job === current) giveUp(stopped());
    else job.reject(stopped());
  }

  return {
    async ask(question, { limitMs, signal }) {
      if (isClosed || signal?.aborted === true) throw stopped();
      if (waiting.length >= maxWaiting) throw new JudgeError('busy', `${maxWaiting} questions wait already`);
      const { job, outcome } = createJob(question, limitMs);
      const onAbort = (): void => abort(job);
      signal?.addEventListener('abort', onAbort, { once: true });
      waiting.push(job);
      next();
      return outcome.finally(() => signal?.removeEventListener('abort', onAbort));
    },
    async close() {
      isClosed = true;
      for (const job of waiting.splice(0)) job.reject(stopped());
      const ended = release();
      end((job) => job.reject(stopped()));
      clearTimeout(timer);
      await ended;
    },
  };
}

function createJob(question: Question, limitMs: number): { readonly job: Job; readonly outcome: Promise<Outcome> } {
  const { promise: outcome, resolve, reject } = settleable();
  return { job: { question, limitMs, resolve, reject }, outcome };
}

function settleable() {
  let resolve: Job['resolve'] = () => undefined;
  let reject: Job['reject'] = () => undefined;
  const promise = new Promise<Outcome>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  return { promise, resolve, reject };
}

function stopped(): JudgeError {
  return new JudgeError('stopped', 'Nobody waits any more');
}
