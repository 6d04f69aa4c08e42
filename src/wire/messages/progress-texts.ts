import type { Message } from './message.js';
import type { Progress, ProgressStep, Wait } from './progress.js';

type State = Message['state'];

/** Names of a message's steps, for people. */
export const stepTitles: Readonly<Record<ProgressStep, string>> = {
  accepted: "Accepted by its author's node",
  sealed: 'Sealed into a batch',
  stored: 'Stored in the shared store',
  delivered: 'Delivered to the members',
  pinned: 'Pinned on the chain',
  batch: 'Batch arrived here',
  data: 'All data is here',
  next: 'Next in its order',
  decided: 'Decided',
};

/** Sentences about a message that is not confirmed. */
export interface Explanation {
  readonly title: string;
  readonly sentence: string;
  readonly waits: readonly { readonly wait: Wait; readonly advice: string }[];
}

/** Why a message is not confirmed here; undefined when it is. */
export function explain({ state }: { readonly state: State }, progress: Progress): Explanation | undefined {
  const waits = progress.waits.map((wait) => ({ wait, advice: adviceFor(wait) }));
  if (state === 'confirmed') return undefined;
  if (state === 'rejected')
    return {
      title: 'Why was it rejected?',
      sentence: 'All nodes reach the same verdict by the rules of the network, and it is final.',
      waits,
    };
  if (state === 'cancelled') return { title: 'Why was it cancelled?', sentence: cancelledSentence, waits };
  const title = 'Why is it not confirmed?';
  if (waits.length > 0) return { title, sentence: missingSentence(progress), waits };
  return { title, sentence: `${missingSentence(progress)} Nothing blocks it; it should continue soon.`, waits };
}

const cancelledSentence = 'It was cancelled before any other party could see it, and it will not be sent.';

/** The next step of a message, as a sentence. */
export function missingSentence({ missing }: Pick<Progress, 'missing'>): string {
  return missing === undefined ? 'It is on its way.' : `The next step is: ${stepTitles[missing].toLowerCase()}.`;
}

const advices: Readonly<Record<Wait['on'], string>> = {
  operation: 'The node retries. If this lasts, a service may be away, or mining paused: stack explain, stack status.',
  batch: 'Its payload comes from the node of its author or from the shared store: check that both run.',
  blob: 'The file comes from the node of its author or from the shared store: check that both run.',
  definition: 'It needs a definition that this node is still processing.',
  judgement: 'All data is here, and this node is about to decide. If this takes long, check its log: stack logs.',
  context: 'Messages of a topic are decided in order: check the message before it, and what that one waits for.',
};

/** Advice for a wait. */
export function adviceFor({ on, author }: Pick<Wait, 'on' | 'author'>): string {
  const party = author?.split('/').at(-1);
  const isBrought = on === 'batch' || on === 'blob';
  if (!isBrought || party === undefined || !/^[\w.-]+$/.test(party)) return advices[on];
  return `Check that the node of ${party} runs, since it has the data: stack status, stack logs ${party}.`;
}
