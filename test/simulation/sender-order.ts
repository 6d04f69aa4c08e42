import type { SendRecord } from '../../src/bench/check/recording.js';
import { type Expected, lineOf, type Oracle } from './oracle.js';
import { InvariantViolation } from './shadow.js';

/** I5: of two messages of one party with a common topic, one accepted before the other was sent is pinned first. */
export function checkSenderOrder(sends: readonly SendRecord[], oracle: Oracle): void {
  // A hostile member may reuse the id of another's message.
  const sendOf = new Map<string, SendRecord>();
  for (const send of sends) if (send.id !== null) sendOf.set(`${send.party}/${send.id}`, send);
  const all = [...oracle.messages().values()];
  const lines = new Set(all.flatMap(({ topics, group }) => topics.map((topic) => lineOf(topic, group))));
  for (const line of lines) {
    const lastSent = new Map<string, SendRecord>();
    let place = 0;
    for (let message: Expected | undefined; (message = oracle.at(line, place)) !== undefined; place++) {
      const send = sendOf.get(`${message.organization}/${message.id}`);
      if (send === undefined) continue;
      const earlier = lastSent.get(send.party);
      if (earlier !== undefined && send.acceptedMs !== null && send.acceptedMs < earlier.sentMs) {
        throw new InvariantViolation(
          'I5',
          `${send.id ?? ''} was accepted before ${earlier.id ?? ''} was sent, and is later`,
        );
      }
      if (earlier === undefined || send.sentMs > earlier.sentMs) lastSent.set(send.party, send);
    }
  }
}
