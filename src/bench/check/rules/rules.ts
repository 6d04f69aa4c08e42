import type { EventFacts, MessageFacts } from '../facts/facts.js';
import {
  type ChainOrder,
  contextKey,
  decisionsByContext,
  hasUnknownPosition,
  messageKey,
  positionKey,
} from '../order.js';
import type { Evidence, PartyRecord, Recording, SendRecord } from '../recording.js';

/** Checks one invariant: adds comparisons and faults to `evidence`. */
export type Rule = (recording: Recording, order: ChainOrder, evidence: Evidence) => void;

interface RequiredMessage {
  readonly reason: string;
  /** The names of the parties that must have it. */
  readonly members: readonly string[];
}

/** I1: every message that was accepted, or that any member has, is decided at every member. */
export const noLoss: Rule = ({ sends, parties }, _order, evidence) => {
  const all = parties.map(({ name }) => name);
  const required = new Map<string, RequiredMessage>();
  for (const { id, party, members = all } of sends) {
    if (id !== null) required.set(id, { reason: `accepted by ${party}`, members });
  }
  for (const party of parties) {
    for (const { id, group } of party.messages) {
      const members = group === undefined ? all : membersOfGroup(parties, group);
      if (!required.has(id)) required.set(id, { reason: `held by ${party.name}`, members });
    }
  }
  for (const party of parties) {
    const states = new Map(party.messages.map(({ id, state }) => [id, state]));
    for (const [id, { reason, members }] of required) {
      if (!members.includes(party.name)) continue;
      evidence.count++;
      const state = states.get(id);
      if (state === undefined) evidence.faults.push(`message ${id} (${reason}) is not at ${party.name}`);
      else if (!isTerminal(state)) evidence.faults.push(`message ${id} (${reason}) is ${state} at ${party.name}`);
    }
  }
};

/** The DIDs of an organisation with both methods. A network uses one of them. */
export function didsOf(organization: string): string[] {
  return ['parley', 'firefly'].map((method) => `did:${method}:org/${organization}`);
}

/** The parties of a group by its records; without a record, the parties that have a message of the group. */
export function membersOfGroup(parties: readonly PartyRecord[], group: string): string[] {
  const records = parties.flatMap(({ groups = [] }) => groups).filter(({ hash }) => hash === group);
  if (records.length === 0) {
    return parties.filter(({ messages }) => messages.some((each) => each.group === group)).map(({ name }) => name);
  }
  const identities = new Set(records.flatMap(({ members }) => members));
  return parties.map(({ name }) => name).filter((name) => didsOf(name).some((did) => identities.has(did)));
}

/** I2: one record and one final event per message, and one message per send, even if it was repeated. */
export const noDuplicate: Rule = ({ sends, parties }, _order, evidence) => {
  const sendHashes = new Set(sends.flatMap(({ valueHashes }) => valueHashes));
  for (const party of parties) {
    const records = new Set<string>();
    const values = new Set<string>();
    for (const message of party.messages) {
      evidence.count++;
      if (records.has(messageKey(message))) {
        evidence.faults.push(`message ${message.id} is listed twice at ${party.name}`);
      }
      records.add(messageKey(message));
      for (const hash of message.valueHashes) {
        if (!sendHashes.has(hash)) continue;
        if (values.has(hash)) {
          evidence.faults.push(`one send became two messages at ${party.name}, one of them ${message.id}`);
        }
        values.add(hash);
      }
    }
    checkEventsOnce(party, evidence);
  }
};

function checkEventsOnce(party: PartyRecord, evidence: Evidence): void {
  const eventOf = new Map<string, string>();
  for (const connection of party.connections) {
    const here = new Set<string>();
    for (const event of connection) {
      evidence.count++;
      const key = event.message === undefined ? event.reference : messageKey(event.message);
      const first = eventOf.get(key) ?? event.id;
      eventOf.set(key, first);
      if (first !== event.id) evidence.faults.push(`message ${event.reference} has two events at ${party.name}`);
      if (here.has(event.id))
        evidence.faults.push(`event ${event.id} was delivered twice on one connection at ${party.name}`);
      here.add(event.id);
    }
  }
}

/** I3: messages that two parties have decided were decided in the same order in every context. */
export const sameOrder: Rule = ({ parties }, _order, evidence) => {
  const decided = parties.map((party) => ({ name: party.name, byContext: decisionsByContext(party) }));
  for (const [index, one] of decided.entries()) {
    for (const other of decided.slice(index + 1)) {
      for (const [context, decisions] of one.byContext) {
        const positions = new Map(decisions.map(({ key }, position) => [key, position]));
        let last = -1;
        for (const { key, message } of other.byContext.get(context) ?? []) {
          const position = positions.get(key);
          if (position === undefined) continue;
          evidence.count++;
          if (position < last) {
            evidence.faults.push(`${one.name} and ${other.name} differ in "${context}" at message ${message.id}`);
          }
          last = Math.max(last, position);
        }
      }
    }
  }
};

/** I4: events follow the order of the pins, and only pinned messages are decided. */
export const sameAsChain: Rule = ({ parties, pins }, order, evidence) => {
  // Without chain data there is no evidence of order.
  if (pins.length === 0) return;
  evidence.faults.push(...order.maskedFaults);
  for (const party of parties) {
    for (const [context, decisions] of decisionsByContext(party)) {
      let last = -1;
      for (const { key, topic, message } of decisions) {
        const position = order.positions.get(positionKey(context, key));
        if (position === undefined) {
          if (!hasUnknownPosition(order, message, topic)) {
            evidence.faults.push(`message ${message.id} is decided at ${party.name} without a pin`);
          }
          continue;
        }
        evidence.count++;
        if (position < last) {
          evidence.faults.push(`message ${message.id} is decided at ${party.name} after a message with a later pin`);
        }
        last = position;
      }
    }
    for (const message of party.messages) {
      const batch = order.batches.get(messageKey(message));
      if (batch === undefined || message.batch === undefined) continue;
      evidence.count++;
      if (batch !== message.batch) evidence.faults.push(`message ${message.id} has another batch at ${party.name}`);
    }
  }
};

/** I5: of two messages of one key with a common topic, one accepted before the other was sent comes first. */
export const senderOrder: Rule = ({ sends, parties }, order, evidence) => {
  const facts = new Map<string, MessageFacts>();
  for (const message of parties.flatMap(({ messages }) => messages)) facts.set(message.id, message);
  const sequences = new Map<string, { readonly send: SendRecord; readonly position: number }[]>();
  for (const send of sends) {
    const message = send.id === null ? undefined : facts.get(send.id);
    if (message === undefined) continue;
    for (const topic of message.topics) {
      const context = contextKey(message, topic);
      const position = order.positions.get(positionKey(context, messageKey(message)));
      if (position === undefined) continue;
      const sender = `${message.key} ${context}`;
      const list = sequences.get(sender) ?? [];
      list.push({ send, position });
      sequences.set(sender, list);
    }
  }
  for (const sequence of sequences.values()) {
    sequence.sort((a, b) => a.position - b.position);
    let lastSent = sequence[0];
    for (const entry of sequence) {
      evidence.count++;
      const earlier = lastSent;
      if (earlier !== undefined && entry.send.acceptedMs !== null && entry.send.acceptedMs < earlier.send.sentMs) {
        evidence.faults.push(
          `message ${entry.send.id ?? ''} was accepted before ${earlier.send.id ?? ''} was sent, but comes later`,
        );
      }
      if (earlier === undefined || entry.send.sentMs > earlier.send.sentMs) lastSent = entry;
    }
  }
};

/** I6: no message is confirmed at one party and rejected at another, and events agree with records. */
export const sameVerdict: Rule = ({ parties }, _order, evidence) => {
  const verdicts = new Map<string, { readonly state: string; readonly party: string }>();
  const compare = (key: string, state: string, party: string): void => {
    if (!isTerminal(state)) return;
    const first = verdicts.get(key);
    if (first === undefined) {
      verdicts.set(key, { state, party });
      return;
    }
    evidence.count++;
    if (first.state !== state) {
      evidence.faults.push(`message ${key} is ${first.state} at ${first.party} and ${state} at ${party}`);
    }
  };
  for (const party of parties) {
    for (const message of party.messages) compare(messageKey(message), message.state, party.name);
    for (const event of party.connections.flat()) {
      if (event.message === undefined) continue;
      const key = messageKey(event.message);
      compare(key, event.message.state, party.name);
      compare(key, stateOf(event), party.name);
    }
  }
};

export function isTerminal(state: string): boolean {
  return state === 'confirmed' || state === 'rejected';
}

function stateOf(event: EventFacts): string {
  return event.type.replace(/^message_/, '');
}
