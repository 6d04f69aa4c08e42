import { sha256 } from '../../src/bench/check/facts.js';
import type { SendRecord } from '../../src/bench/check/recording.js';
import type { DataReference } from '../../src/wire/data.js';
import { ServiceError } from '../../src/wire/error.js';
import { textOf } from '../../src/wire/json.js';
import type { BroadcastRequest } from '../../src/wire/message.js';
import type { Surroundings } from './life.js';
import type { Party } from './party.js';

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
}

interface Draft {
  readonly party: Party;
  readonly request: BroadcastRequest;
  readonly topics: readonly string[];
  readonly tag: string | undefined;
  readonly valueHashes: readonly string[];
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

  function draw(): Draft {
    const number = drafts.length;
    const party = parties[random.integer(parties.length)];
    if (party === undefined) throw new Error('a simulation has parties');
    const inline = Array.from({ length: random.fraction() < 0.15 ? 2 : 1 }, (_, item) =>
      textOf({ number, item, fill: 'x'.repeat(random.integer(200)) }),
    );
    const values = inline.map((value) => ({ value }));
    // Items sent before are sent again by their id, also while somebody else may have used that id.
    const known = random.fraction() < 0.15 ? heldItems.get(party.name)?.at(-1) : undefined;
    const named = drawTopics();
    const tag = random.fraction() < 0.3 ? 'tagged' : undefined;
    const hasKey = random.fraction() < 0.8;
    return {
      party,
      request: {
        header: { ...(tag !== undefined && { tag }), ...(named.length > 0 && { topics: named }) },
        data: known === undefined ? values : [...values, { id: known.id }],
        ...(hasKey && { idempotencyKey: `key-${number}` }),
      },
      topics: named.length > 0 ? named : ['default'],
      tag,
      valueHashes: [...inline.map(sha256), ...(known === undefined ? [] : [known.hash])],
      sentMs: 0,
      acceptedMs: null,
      id: null,
      isOver: false,
    };
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
    const { party, request } = draft;
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
    const again = (): void => {
      if (request.idempotencyKey === undefined) over();
      else scheduler.after(repeatMs, 'client', 'sends again', () => attempt(draft, next));
    };
    if (life === undefined) {
      // Nobody listens: nothing can have been taken in, so anybody may try again.
      scheduler.after(repeatMs, 'client', 'finds no node', () => attempt(draft, next));
      return;
    }
    const accepted = (id: string): void => {
      draft.id = id;
      draft.acceptedMs = scheduler.nowMs();
      over();
    };
    life.onEnd(() => answered(again));
    party.broadcast(request).then(
      (message) => {
        const [item] = message.data;
        if (item !== undefined) heldItems.set(party.name, [...(heldItems.get(party.name) ?? []), item]);
        if (random.fraction() < faults().answerLost) answered(again);
        else answered(() => accepted(message.header.id));
      },
      (error: unknown) => {
        answered(() => {
          const first = error instanceof ServiceError ? uuidPattern.exec(error.message)?.[0] : undefined;
          const isOfUs = error instanceof Error && error.message.includes('simulated fault');
          if (isOfUs) again();
          else if (first === undefined) {
            scheduler.fail(new Error(`a good request was refused: ${String(error)}`, { cause: error }));
          } else {
            sometimes('idempotency key used again after a lost answer');
            accepted(first);
          }
        });
      },
    );
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
    sends: () => drafts.map(({ party, ...draft }) => ({ ...draft, party: party.name })),
  };
}
