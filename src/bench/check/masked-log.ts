import type { ChainPin } from './chain-log.js';
import type { MessageFacts } from './facts/facts.js';
import { maskedValue } from './facts/groups.js';
import type { PartyRecord } from './recording.js';

/** A private message and the topic that a masked pin stands for. */
export interface MaskedTopic {
  readonly message: MessageFacts;
  readonly topic: string;
}

/** Resolves masked pins to messages, and checks that each has its author's next nonce. */
export interface MaskedLog {
  /** Returns the messages of a batch's masked pins, in order, without those that are in no record. */
  take(pin: ChainPin): MaskedTopic[];
  readonly faults: readonly string[];
}

/** The limit of skipped nonces. Void batches use nonces and leave no record; no test makes more in a row. */
const maxUnseen = 64;

/** Creates the log from the members' records. */
export function createMaskedLog(parties: readonly PartyRecord[]): MaskedLog {
  const topics = new Map<string, MaskedTopic>();
  const next = new Map<string, number>();
  const faults: string[] = [];
  for (const message of parties.flatMap(({ messages }) => messages)) {
    for (const [index, value] of (message.pins ?? []).entries()) {
      const topic = message.topics[index];
      if (message.group === undefined || topic === undefined) continue;
      topics.set(`${message.batch ?? ''}/${value}`, { message, topic });
    }
  }

  function expect({ message, topic }: MaskedTopic, value: string): void {
    const { author, group = '' } = message;
    const counter = `${group} ${author} ${topic}`;
    const first = next.get(counter) ?? 0;
    for (let nonce = first; nonce < first + maxUnseen; nonce++) {
      if (maskedValue(topic, group, author, nonce) !== value) continue;
      next.set(counter, nonce + 1);
      return;
    }
    faults.push(`${message.id} has a pin that is not the next of ${author} in topic "${topic}"`);
  }

  return {
    take({ batchId, signer, contexts }) {
      return contexts.flatMap((value) => {
        const found = topics.get(`${batchId}/${value}`);
        // Copying another author's pin does not pin that author's message.
        if (found?.message.key !== signer) return [];
        expect(found, value);
        return found;
      });
    },
    faults,
  };
}
