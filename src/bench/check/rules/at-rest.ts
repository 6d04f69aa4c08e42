import { checkDurable } from '../durable.js';
import type { EventFacts, MessageFacts } from '../facts/facts.js';
import { type ChainOrder, contextKey, hasUnknownPosition, messageKey, positionKey } from '../order.js';
import type { Evidence, PartyRecord } from '../recording.js';
import { isTerminal, type Rule } from './rules.js';

/** I7: recomputed hashes equal the stored ones, and stored content is what was sent. */
export const sameBytes: Rule = ({ sends, parties, pins, payloads }, _order, evidence) => {
  for (const party of parties) {
    const byId = new Map(party.messages.map((message) => [message.id, message]));
    for (const message of party.messages) {
      evidence.count++;
      for (const problem of message.damage) evidence.faults.push(`message ${message.id} at ${party.name}: ${problem}`);
    }
    for (const { message } of party.connections.flat()) {
      if (message === undefined) continue;
      evidence.count++;
      for (const problem of message.damage) evidence.faults.push(`event of ${message.id} at ${party.name}: ${problem}`);
    }
    for (const send of sends) {
      const message = send.id === null ? undefined : byId.get(send.id);
      if (message === undefined) continue;
      evidence.count++;
      const isSame =
        message.valueHashes.join() === send.valueHashes.join() &&
        message.topics.join() === send.topics.join() &&
        message.tag === send.tag;
      if (!isSame) evidence.faults.push(`message ${message.id} at ${party.name} differs from what was sent`);
      checkFiles(party, message, send.blobHashes ?? [], evidence);
    }
    for (const { damage } of party.groups ?? []) {
      evidence.count++;
      evidence.faults.push(...damage.map((problem) => `${problem} at ${party.name}`));
    }
  }
  for (const pin of pins) {
    const payload = payloads.get(pin.payloadRef);
    if (payload === undefined) continue;
    evidence.count++;
    if (payload.hash !== pin.batchHash) evidence.faults.push(`payload ${pin.payloadRef} does not have the pinned hash`);
  }
};

/** Checks that a message has the files that were sent with it, and that downloads match them. */
function checkFiles(party: PartyRecord, message: MessageFacts, sent: readonly string[], evidence: Evidence): void {
  const found = message.blobs.map(({ hash }) => hash);
  if (sent.length > 0 && found.join() !== sent.join()) {
    evidence.faults.push(`message ${message.id} at ${party.name} does not have the files that were sent`);
  }
  for (const { data, hash } of message.blobs) {
    const download = party.downloads?.find((each) => each.data === data);
    if (download === undefined) continue;
    evidence.count++;
    if (download.hash !== hash)
      evidence.faults.push(`the file of data ${data} at ${party.name} does not have its hash`);
  }
}

/**
 * I9: on each connection, sequences increase and no decision of a context is missing between two others; a durable
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
  const lastPositions = new Map<string, number>();
  for (const event of events) {
    evidence.count++;
    if (event.sequence <= lastSequence) evidence.faults.push(`event ${event.id} at ${party} is out of sequence`);
    lastSequence = event.sequence;
    const { message } = event;
    for (const topic of message?.topics ?? []) {
      if (message === undefined || hasUnknownPosition(order, message, topic)) continue;
      const context = contextKey(message, topic);
      const position = order.positions.get(positionKey(context, messageKey(message)));
      if (position === undefined) continue;
      const last = lastPositions.get(context);
      if (last !== undefined && position !== last + 1) {
        evidence.faults.push(`an event of topic "${topic}" is missing at ${party} before ${message.id}`);
      }
      lastPositions.set(context, position);
    }
  }
}

/** I12: no message is pending. */
export const nothingPending: Rule = ({ parties }, _order, evidence) => {
  for (const party of parties) {
    for (const message of party.messages) {
      evidence.count++;
      if (isTerminal(message.state)) continue;
      evidence.faults.push(`message ${message.id} is ${message.state} at ${party.name}`);
    }
    if (party.pending === undefined) continue;
    evidence.count++;
    if (party.pending > 0) evidence.faults.push(`${party.name} reports ${party.pending} pending messages`);
  }
};

/** I14: the events of decided messages agree with the records, and sequences never decrease. */
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
          evidence.faults.push(`event ${event.id} is new at ${party.name}, but its sequence is not`);
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
  delivered: MessageFacts,
  records: ReadonlyMap<string, MessageFacts>,
  evidence: Evidence,
): void {
  const record = records.get(messageKey(delivered));
  if (record === undefined) {
    evidence.faults.push(`message ${delivered.id} was decided at ${party}, but is missing or has another hash now`);
  } else if (unchanging.some((field) => record[field] !== delivered[field])) {
    evidence.faults.push(`message ${delivered.id} changed at ${party} after it was decided`);
  }
}

/** Blocks keep their hashes when the chain restarts. */
export const sameBlocks: Rule = ({ blocks }, _order, evidence) => {
  for (const { number, seen, now } of blocks) {
    evidence.count++;
    if (seen !== now) evidence.faults.push(`block ${number} was ${seen} and is ${now ?? 'gone'}`);
  }
};
