import { ownThreadId } from './own-thread.js';
import { parentPort } from 'node:worker_threads';
import { createJudgement, type InputOf, type Kind, outcomeOf } from '../../domain/judgement.js';

/** A question as the thread receives it. */
interface Message<K extends Kind = Kind> {
  readonly kind: K;
  readonly input: InputOf<K>;
}

/** The thread of `worker.ts`: reports its id, then answers questions one after the other. */
const judge = createJudgement();
parentPort?.postMessage({ threadId: ownThreadId });
parentPort?.on('message', ({ kind, input }: Message) => {
  parentPort?.postMessage(outcomeOf(judge, kind, input));
});
