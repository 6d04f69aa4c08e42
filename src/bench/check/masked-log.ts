import type { ChainPin } from './chain-log.js';
import type { MessageFacts } from './facts/facts.js';
import { maskedValue } from './facts/groups.js';
import type { PartyRecord } from './recording.js';

/** A message in a context of a private batch. */
export interface MaskedPlace {
  readonly message: MessageFacts;
  readonly topic: string;
}

/** Resolves private pins to messages, and checks that each has its author's next nonce. */
export interface MaskedLog {
  /** The messages behind the values of a pin, in order; values not found in any record are left out. */
  take(pin: ChainPin): MaskedPlace[];
  readonly faults: readonly string[];
}

/** Void batches use up nonces and leave no record; no test makes more than these in a row. */
const maxUnseen = 64;

/** Creates the log of private pins from the members' records. */
export function createMaskedLog(parties: readonly PartyRecord[]): MaskedLog {
  const places = new Map<string, MaskedPlace>();
  const next = new Map<string, number>();
  const faults: string[] = [];
  for (const message of parties.flatMap(({ messages }) => messages)) {
    for (const [index, value] of (message.pins ?? []).entries()) {
      const topic = message.topics[index];
      if (message.group === undefined || topic === undefined) continue;
      places.set(`${message.batch ?? ''}/${value}`, { message, topic });
    }
  }

  function expect({ message, topic }: MaskedPlace, value: string): void {
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
        const place = places.get(`${batchId}/${value}`);
        // Copying another author's pin does not pin that author's message.
        if (place?.message.key !== signer) return [];
        expect(place, value);
        return place;
      });
    },
    faults,
  };
}
