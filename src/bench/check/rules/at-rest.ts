import { checkDurable } from '../durable.js';
import type { EventFacts, MessageFacts } from '../facts/facts.js';
import { type ChainOrder, isUnknown, lineOf, messageKey, placeKey } from '../order.js';
import type { Evidence, PartyRecord } from '../recording.js';
import { isTerminal, type Rule } from './rules.js';

/** I7: every hash recomputes, and stored content is what was sent. */
export const sameBytes: Rule = ({ sends, parties, pins, payloads }, _order, evidence) => {
  for (const party of parties) {
    const byId = new Map(party.messages.map((message) => [message.id, message]));
    for (const message of party.messages) {
      evidence.count++;
      for (const sentence of message.damage)
        evidence.faults.push(`message ${message.id} at ${party.name}: ${sentence}`);
    }
    for (const { message } of party.connections.flat()) {
      if (message === undefined) continue;
      evidence.count++;
      for (const sentence of message.damage)
        evidence.faults.push(`event of ${message.id} at ${party.name}: ${sentence}`);
    }
    for (const send of sends) {
      const message = send.id === null ? undefined : byId.get(send.id);
      if (message === undefined) continue;
      evidence.count++;
      const isSame =
        message.valueHashes.join() === send.valueHashes.join() &&
        message.topics.join() === send.topics.join() &&
        message.tag === send.tag;
      if (!isSame) evidence.faults.push(`message ${message.id} at ${party.name} is not what was sent`);
      checkFiles(party, message, send.blobHashes ?? [], evidence);
    }
    for (const { damage } of party.groups ?? []) {
      evidence.count++;
      evidence.faults.push(...damage.map((sentence) => `${sentence} at ${party.name}`));
    }
  }
  for (const pin of pins) {
    const payload = payloads.get(pin.payloadRef);
    if (payload === undefined) continue;
    evidence.count++;
    if (payload.hash !== pin.batchHash) evidence.faults.push(`payload ${pin.payloadRef} has not the pinned hash`);
  }
};

/** Checks that a message has the files that were sent with it, and that downloads match them. */
function checkFiles(party: PartyRecord, message: MessageFacts, sent: readonly string[], evidence: Evidence): void {
  const named = message.blobs.map(({ hash }) => hash);
  if (sent.length > 0 && named.join() !== sent.join()) {
    evidence.faults.push(`message ${message.id} at ${party.name} does not name the files that were sent`);
  }
  for (const { data, hash } of message.blobs) {
    const download = party.downloads?.find((each) => each.data === data);
    if (download === undefined) continue;
    evidence.count++;
    if (download.hash !== hash) evidence.faults.push(`the file of data ${data} at ${party.name} has not its hash`);
  }
}

/**
 * I9: on each connection sequences increase and no decision of a topic is skipped between two others; a durable
 * subscription has delivered the listed events.
 */
export const gaplessStreams: Rule = ({ parties }, order, evidence) => {
  for (const party of parties) {
    for (const connection of party.connections) checkConnection(party.name, connection, order, evidence);
    if (party.durable !== undefined) checkDurable(party.name, party.durable, evidence);
  }
};

function checkConnection(party: string, events: readonly EventFacts[], order: ChainOrder, evidence: Evidence): void {
  let lastSequence = -Infinity;
  const lastPlaces = new Map<string, number>();
  for (const event of events) {
    evidence.count++;
    if (event.sequence <= lastSequence) evidence.faults.push(`event ${event.id} at ${party} is out of sequence`);
    lastSequence = event.sequence;
    const { message } = event;
    for (const topic of message?.topics ?? []) {
      if (message === undefined || isUnknown(order, message, topic)) continue;
      const line = lineOf(message, topic);
      const place = order.places.get(placeKey(line, messageKey(message)));
      if (place === undefined) continue;
      const last = lastPlaces.get(line);
      if (last !== undefined && place !== last + 1) {
        evidence.faults.push(`between two events of topic "${topic}" at ${party} one is missing, before ${message.id}`);
      }
      lastPlaces.set(line, place);
    }
  }
}

/** I12: nothing is pending. */
export const nothingPending: Rule = ({ parties }, _order, evidence) => {
  for (const party of parties) {
    for (const message of party.messages) {
      evidence.count++;
      if (!isTerminal(message.state))
        evidence.faults.push(`message ${message.id} is ${message.state} at ${party.name}`);
    }
    if (party.pending === undefined) continue;
    evidence.count++;
    if (party.pending > 0) evidence.faults.push(`${party.name} says that ${party.pending} things are pending`);
  }
};

/** I14: the event about a decided message agrees with its record, and sequences never decrease. */
export const monotone: Rule = ({ parties }, _order, evidence) => {
  for (const party of parties) {
    const records = new Map(party.messages.map((message) => [messageKey(message), message]));
    const sequences = new Map<string, number>();
    let highest = -Infinity;
    for (const connection of party.connections) {
      for (const event of connection) {
        evidence.count++;
        const known = sequences.get(event.id);
        if (known !== undefined && known !== event.sequence) {
          evidence.faults.push(`event ${event.id} has two sequences at ${party.name}`);
        }
        if (known === undefined && event.sequence <= highest) {
          evidence.faults.push(`event ${event.id} is new at ${party.name} and has an old sequence`);
        }
        sequences.set(event.id, event.sequence);
        highest = Math.max(highest, event.sequence);
        if (event.message !== undefined) compareRecord(party.name, event.message, records, evidence);
      }
    }
  }
};

/** Fields of a decided message that never change. */
const unchanging = ['state', 'confirmed', 'rejected', 'batch'] as const;

function compareRecord(
  party: string,
  said: MessageFacts,
  records: ReadonlyMap<string, MessageFacts>,
  evidence: Evidence,
): void {
  const record = records.get(messageKey(said));
  if (record === undefined) {
    evidence.faults.push(`message ${said.id} was decided at ${party} and is not there any more, or has another hash`);
  } else if (unchanging.some((field) => record[field] !== said[field])) {
    evidence.faults.push(`message ${said.id} has changed at ${party} after it was decided`);
  }
}

/** Blocks keep their hashes across every restart of the chain. */
export const sameBlocks: Rule = ({ blocks }, _order, evidence) => {
  for (const { number, seen, now } of blocks) {
    evidence.count++;
    if (seen !== now) evidence.faults.push(`block ${number} was ${seen} and is ${now ?? 'gone'}`);
  }
};
