import { ownThreadId } from './own-thread.js';
import { parentPort } from 'node:worker_threads';
import { createJudgement, type InputOf, type Kind, outcomeOf } from '../../domain/judgement.js';
import { createGiveWay } from './give-way.js';
import { processorTimes } from './processor-times.js';

/** A question as the thread receives it. */
interface Message<K extends Kind = Kind> {
  readonly kind: K;
  readonly input: InputOf<K>;
}

/** Never changed: waiting for a change is the only way in which a thread can rest during its work. */
const nobody = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
const judge = createJudgement(
  createGiveWay({
    times: () => (ownThreadId === undefined ? undefined : processorTimes(ownThreadId)),
    rest: (ms) => void Atomics.wait(nobody, 0, 0, ms),
  }),
);

// The thread of `worker.ts`: it reports its id, then answers questions one after the other.
parentPort?.postMessage({ threadId: ownThreadId });
parentPort?.on('message', ({ kind, input }: Message) => {
  parentPort?.postMessage(outcomeOf(judge, kind, input));
});
