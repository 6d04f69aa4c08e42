import { sha256 } from '../../src/bench/check/facts.js';
import type { SendRecord } from '../../src/bench/check/recording.js';
import type { DataInput, DataReference } from '../../src/wire/data.js';
import { ServiceError } from '../../src/wire/error.js';
import type { Message } from '../../src/wire/message.js';
import type { JsonText } from '../../src/wire/scalar.js';
import type { Surroundings } from './life.js';
import type { Party, SendRequest, SimulatedFile } from './party.js';
import { canaryOf } from './privacy.js';
import { InvariantViolation } from './shadow.js';

export interface ClientParts {
  readonly surroundings: Surroundings;
  readonly parties: readonly Party[];
  readonly topics: readonly string[];
  /** How many messages it sends in all. */
  readonly messages: number;
  /** From the first to the last intended send. */
  readonly spanMs: number;
}

/** People and programs that send: bursts, sequences, several topics in opposite orders, repeats after a lost answer. */
export interface Client {
  start(): void;
  /** Whether every send has its answer, or never will. */
  isDone(): boolean;
  sends(): readonly SendRecord[];
  /** The sends by their numbers. */
  drafts(): readonly Draft[];
}

/** A message that somebody means to send, and what has come of it. */
export interface Draft {
  readonly party: Party;
  readonly sent: SendRequest;
  /** Names of the parties that are to get it; undefined: all. */
  readonly members: readonly string[] | undefined;
  readonly topics: readonly string[];
  readonly tag: string | undefined;
  readonly valueHashes: readonly string[];
  /** A file that is uploaded before the message is sent, which refers to it; undefined: none, or no more. */
  file: SimulatedFile | undefined;
  /** The items of the request: the file joins them when it is uploaded. */
  readonly items: DataInput[];
  sentMs: number;
  acceptedMs: number | null;
  id: string | null;
  isOver: boolean;
}

const uuidPattern = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
const repeatMs = 400;

export function createClient({ surroundings, parties, topics, messages, spanMs }: ClientParts): Client {
  const { scheduler, faults, sometimes } = surroundings;
  const { random } = scheduler;
  const drafts: Draft[] = [];
  const heldItems = new Map<string, DataReference[]>();
  const isHeavy = random.fraction() < 0.03;
  if (isHeavy) sometimes('messages that fill a batch');

  function draw(): Draft {
    const number = drafts.length;
    const party = pick(parties);
    const members = random.fraction() < 0.45 ? drawMembers(party) : undefined;
    const inline = Array.from({ length: random.fraction() < 0.15 ? 2 : 1 }, (_, item) =>
      drawValue(number, item, members !== undefined),
    );
    // Items sent before are sent again by their id, also while somebody else may have used that id.
    const held = members === undefined ? heldItems.get(party.name) : undefined;
    const known = random.fraction() < 0.15 ? held?.at(-1) : undefined;
    const values = inline.map((value) => ({ value }));
    const named = drawTopics();
    const tag = random.fraction() < 0.3 ? 'tagged' : undefined;
    const isUnpinned = members !== undefined && random.fraction() < 0.3;
    const file = random.fraction() < 0.2 ? drawFile(number, members !== undefined) : undefined;
    const items: DataInput[] = known === undefined ? values : [...values, { id: known.id }];
    const request = {
      header: {
        ...(tag !== undefined && { tag }),
        ...(named.length > 0 && { topics: named }),
        ...(isUnpinned && { txtype: 'none' }),
      },
      data: items,
      ...(random.fraction() < 0.8 && { idempotencyKey: `key-${number}` }),
    };
    const sent: SendRequest =
      members === undefined
        ? { kind: 'broadcast', request }
        : { kind: 'private', request: { ...request, group: groupOf(party, members) } };
    return {
      party,
      sent,
      members,
      topics: named.length > 0 ? named : ['default'],
      tag,
      valueHashes: [
        ...inline.map(sha256),
        ...(known === undefined ? [] : [known.hash]),
        ...(file === undefined ? [] : [sha256(file.value)]),
      ],
      file,
      items,
      sentMs: 0,
      acceptedMs: null,
      id: null,
      isOver: false,
    };
  }

  function pick<T>(choices: readonly T[]): T {
    const choice = choices[random.integer(choices.length)];
    if (choice === undefined) throw new Error('there is nothing to choose from');
    return choice;
  }

  /** The sender and any others, in any order, since groups overlap; sometimes the sender alone. */
  function drawMembers(sender: Party): string[] {
    const others = parties.filter((party) => party !== sender && random.fraction() < 0.6).map(({ name }) => name);
    sometimes(others.length === 0 ? 'private message to oneself' : 'private message');
    return random.fraction() < 0.5 ? [sender.name, ...others] : [...others, sender.name];
  }

  /** The author is a member whether or not it is named. */
  function groupOf(sender: Party, members: readonly string[]) {
    const others = members.filter((name) => name !== sender.name);
    const named = others.length > 0 && random.fraction() < 0.3 ? others : members;
    return { members: named.map((identity) => ({ identity })) };
  }

  /** Spelled as no writer of JSON would: the bytes are what counts. Now and then so large that few fit into a batch. */
  function drawValue(number: number, item: number, isPrivate: boolean): JsonText {
    const secret = isPrivate ? canaryOf(number) : '';
    const sizeBytes = isHeavy && random.fraction() < 0.5 ? 300_000 : random.integer(200);
    const text = `{"number":${number}.0,"item":${item},"fill":"${secret}\\u0041${'x'.repeat(sizeBytes)}"}`;
    return text as JsonText;
  }

  function drawFile(number: number, isPrivate: boolean): SimulatedFile {
    sometimes(isPrivate ? 'file sent in private' : 'file broadcast');
    const secret = isPrivate ? canaryOf(number) : '';
    // Some files are equal, and are kept once: their items differ.
    const content = `${secret}${'y'.repeat(1 + random.integer(40))}`;
    return { content, value: `{"file":${number},"name":"${secret}plan"}` };
  }

  /** Now and then none, so that the default is used; several in any order. */
  function drawTopics(): string[] {
    if (random.fraction() < 0.1) return [];
    const count = random.fraction() < 0.4 ? 1 + random.integer(Math.min(3, topics.length)) : 1;
    const drawn = new Set<string>();
    for (let index = 0; index < count; index++) drawn.add(topics[random.integer(topics.length)] ?? 'default');
    return [...drawn];
  }

  /** One attempt; `next` is called when the send is over. */
  function attempt(draft: Draft, next: () => void): void {
    const { party, sent } = draft;
    const life = party.life();
    let isAnswered = false;
    const answered = (action: () => void): void => {
      if (isAnswered) return;
      isAnswered = true;
      action();
    };
    const over = (): void => {
      draft.isOver = true;
      next();
    };
    const later = (why: string): void => void scheduler.after(repeatMs, 'client', why, () => attempt(draft, next));
    const again = (): void => {
      if (sent.request.idempotencyKey === undefined) over();
      else later('sends again');
    };
    if (life === undefined) {
      // Nobody listens: nothing can have been taken in, so anybody may try again.
      later('finds no node');
      return;
    }
    const accepted = (id: string): void => {
      draft.id = id;
      draft.acceptedMs = scheduler.nowMs();
      over();
    };
    life.onEnd(() => answered(again));
    let isSent = false;
    const sending = uploadFirst(draft).then(() => {
      isSent = true;
      return sendTwiceAtTimes(draft);
    });
    sending.then(
      (message) => {
        const [item] = message.data;
        if (item !== undefined && sent.kind === 'broadcast') {
          heldItems.set(party.name, [...(heldItems.get(party.name) ?? []), item]);
        }
        if (random.fraction() < faults().answerLost) answered(again);
        else answered(() => accepted(message.header.id));
      },
      (error: unknown) => {
        answered(() => {
          const first = isUsedKey(error) ? uuidPattern.exec(error.message)?.[0] : undefined;
          const isOfUs = error instanceof Error && error.message.includes('simulated fault');
          if (!isSent) later('uploads again');
          else if (isOfUs) again();
          else if (first !== undefined) {
            sometimes('idempotency key used again after a lost answer');
            accepted(first);
          } else if (isBeforeItsTime(error)) later('asks again for a party that is not known yet');
          else scheduler.fail(new Error(`a good request was refused: ${String(error)}`, { cause: error }));
        });
      },
    );
  }

  async function uploadFirst(draft: Draft): Promise<void> {
    if (draft.file === undefined) return;
    const id = await draft.party.upload(draft.file);
    draft.file = undefined;
    draft.items.push({ id });
  }

  /** An impatient client sends with one key twice at once: one is taken, the other is told of it. */
  async function sendTwiceAtTimes({ party, sent }: Draft): Promise<Message> {
    if (sent.request.idempotencyKey === undefined || random.fraction() >= 0.1) return party.send(sent);
    const [one, other] = await Promise.allSettled([party.send(sent), party.send(sent)]);
    if (one.status === 'fulfilled' && other.status === 'fulfilled') {
      scheduler.fail(new InvariantViolation('I2', 'one idempotency key was taken twice'));
    }
    sometimes('two requests with one key at once');
    const taken = one.status === 'fulfilled' ? one : other;
    if (taken.status === 'fulfilled') return taken.value;
    throw taken.reason;
  }

  function begin(draft: Draft, next: () => void): void {
    drafts.push(draft);
    draft.sentMs = scheduler.nowMs();
    attempt(draft, next);
  }

  /** One after the other, each when the one before has its answer: what I5 is about. */
  function sequence(left: number): void {
    if (left > 0)
      begin(draw(), () => void scheduler.after(random.fraction() * 50, 'client', 'goes on', () => sequence(left - 1)));
  }

  return {
    start() {
      for (let planned = 0; planned < messages;) {
        const count = Math.min(messages - planned, 1 + random.integer(8));
        const isSequence = random.fraction() < 0.5;
        scheduler.after(random.fraction() * spanMs, 'client', 'begins', () => {
          if (isSequence) sequence(count);
          else for (let index = 0; index < count; index++) begin(draw(), () => undefined);
        });
        planned += count;
      }
    },
    isDone: () => drafts.length === messages && drafts.every(({ isOver }) => isOver),
    sends: () =>
      drafts.map(({ party, members, sent: _sent, isOver: _isOver, file: _file, items: _items, ...draft }) => ({
        ...draft,
        party: party.name,
        ...(members !== undefined && { members }),
      })),
    drafts: () => drafts,
  };
}

function isUsedKey(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.reason === 'idempotency_key_used';
}

/** A node that has not read the registration of a member, or of itself, does not know it. */
function isBeforeItsTime(error: unknown): boolean {
  return error instanceof ServiceError && ['identity_unknown', 'identity_without_node'].includes(error.reason);
}
