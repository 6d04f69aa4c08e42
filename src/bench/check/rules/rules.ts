import type { EventFacts, MessageFacts } from '../facts/facts.js';
import { type ChainOrder, decisionsByTopic, isUnknown, lineOf, messageKey, placeKey } from '../order.js';
import type { Evidence, PartyRecord, Recording, SendRecord } from '../recording.js';

export type Rule = (recording: Recording, order: ChainOrder, evidence: Evidence) => void;

interface Wanted {
  readonly why: string;
  /** Names of the parties that must have it. */
  readonly members: readonly string[];
}

/** I1: every accepted message is final at every member, and every member has what any member has. */
export const noLoss: Rule = ({ sends, parties }, _order, evidence) => {
  const all = parties.map(({ name }) => name);
  const wanted = new Map<string, Wanted>();
  for (const { id, party, members = all } of sends) {
    if (id !== null) wanted.set(id, { why: `accepted by ${party}`, members });
  }
  for (const party of parties) {
    for (const { id, group } of party.messages) {
      const members = group === undefined ? all : membersOfGroup(parties, group);
      if (!wanted.has(id)) wanted.set(id, { why: `held by ${party.name}`, members });
    }
  }
  for (const party of parties) {
    const states = new Map(party.messages.map(({ id, state }) => [id, state]));
    for (const [id, { why, members }] of wanted) {
      if (!members.includes(party.name)) continue;
      evidence.count++;
      const state = states.get(id);
      if (state === undefined) evidence.faults.push(`message ${id} (${why}) is not at ${party.name}`);
      else if (!isTerminal(state)) evidence.faults.push(`message ${id} (${why}) is ${state} at ${party.name}`);
    }
  }
};

/** A network has one of them. */
export function spellings(organization: string): string[] {
  return ['parley', 'firefly'].map((method) => `did:${method}:org/${organization}`);
}

/** The parties of a group by the records of the group; without a record, those that have a message of it. */
export function membersOfGroup(parties: readonly PartyRecord[], group: string): string[] {
  const records = parties.flatMap(({ groups = [] }) => groups).filter(({ hash }) => hash === group);
  if (records.length === 0) {
    return parties.filter(({ messages }) => messages.some((each) => each.group === group)).map(({ name }) => name);
  }
  const identities = new Set(records.flatMap(({ members }) => members));
  return parties.map(({ name }) => name).filter((name) => spellings(name).some((did) => identities.has(did)));
}

/** I2: one record and one final event per message, and one message per send, however often it was repeated. */
export const noDuplicate: Rule = ({ sends, parties }, _order, evidence) => {
  const sendHashes = new Set(sends.flatMap(({ valueHashes }) => valueHashes));
  for (const party of parties) {
    const records = new Set<string>();
    const values = new Set<string>();
    for (const message of party.messages) {
      evidence.count++;
      if (records.has(messageKey(message)))
        evidence.faults.push(`message ${message.id} is listed twice at ${party.name}`);
      records.add(messageKey(message));
      for (const hash of message.valueHashes) {
        if (!sendHashes.has(hash)) continue;
        if (values.has(hash))
          evidence.faults.push(`what was sent once is two messages at ${party.name}: ${message.id}`);
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
      if (here.has(event.id)) evidence.faults.push(`event ${event.id} came twice on one connection at ${party.name}`);
      here.add(event.id);
    }
  }
}

/** I3: messages that two parties have both decided were decided in the same order in every topic. */
export const sameOrder: Rule = ({ parties }, _order, evidence) => {
  const lines = parties.map((party) => ({ name: party.name, byTopic: decisionsByTopic(party) }));
  for (const [index, one] of lines.entries()) {
    for (const other of lines.slice(index + 1)) {
      for (const [topic, decisions] of one.byTopic) {
        const places = new Map(decisions.map(({ key }, place) => [key, place]));
        let last = -1;
        for (const { key, message } of other.byTopic.get(topic) ?? []) {
          const place = places.get(key);
          if (place === undefined) continue;
          evidence.count++;
          if (place < last) {
            evidence.faults.push(`${one.name} and ${other.name} differ in "${topic}" at message ${message.id}`);
          }
          last = Math.max(last, place);
        }
      }
    }
  }
};

/** I4: events follow the order of the pins, and nothing is decided that was not pinned. */
export const sameAsChain: Rule = ({ parties, pins }, order, evidence) => {
  // Without chain data there is no evidence of order.
  if (pins.length === 0) return;
  evidence.faults.push(...order.maskedFaults);
  for (const party of parties) {
    for (const [line, decisions] of decisionsByTopic(party)) {
      let last = -1;
      for (const { key, topic, message } of decisions) {
        const place = order.places.get(placeKey(line, key));
        if (place === undefined) {
          if (!isUnknown(order, message, topic))
            evidence.faults.push(`${message.id} is decided at ${party.name} without a pin`);
          continue;
        }
        evidence.count++;
        if (place < last) evidence.faults.push(`${message.id} is decided at ${party.name} before an earlier pin`);
        last = place;
      }
    }
    for (const message of party.messages) {
      const batch = order.batches.get(messageKey(message));
      if (batch === undefined || message.batch === undefined) continue;
      evidence.count++;
      if (batch !== message.batch) evidence.faults.push(`${message.id} names another batch at ${party.name}`);
    }
  }
};

/** I5: a message accepted before another was sent, by the same key and with a common topic, comes first. */
export const senderOrder: Rule = ({ sends, parties }, order, evidence) => {
  const facts = new Map<string, MessageFacts>();
  for (const message of parties.flatMap(({ messages }) => messages)) facts.set(message.id, message);
  const lines = new Map<string, { readonly send: SendRecord; readonly place: number }[]>();
  for (const send of sends) {
    const message = send.id === null ? undefined : facts.get(send.id);
    if (message === undefined) continue;
    for (const topic of message.topics) {
      const place = order.places.get(placeKey(lineOf(message, topic), messageKey(message)));
      if (place === undefined) continue;
      const line = `${message.key} ${lineOf(message, topic)}`;
      const list = lines.get(line) ?? [];
      list.push({ send, place });
      lines.set(line, list);
    }
  }
  for (const line of lines.values()) {
    line.sort((a, b) => a.place - b.place);
    let lastSent = line[0];
    for (const entry of line) {
      evidence.count++;
      const earlier = lastSent;
      if (earlier !== undefined && entry.send.acceptedMs !== null && entry.send.acceptedMs < earlier.send.sentMs) {
        evidence.faults.push(
          `${entry.send.id ?? ''} was accepted before ${earlier.send.id ?? ''} was sent, and is later`,
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
