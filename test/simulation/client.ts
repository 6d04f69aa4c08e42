import type { SendRecord } from '../../src/bench/check/recording.js';
import { isServiceError, type ServiceError } from '../../src/wire/errors/error.js';
import type { Message } from '../../src/wire/messages/message.js';
import { createDrawing, type Draft } from './draft.js';
import type { Simulator } from './life.js';
import type { Oracle } from './oracle.js';
import type { Party, SendRequest } from './party.js';
import { InvariantViolation } from './shadow.js';
import type { Waiters } from './waiters.js';

export interface ClientParts {
  readonly simulator: Simulator;
  readonly parties: readonly Party[];
  readonly topics: readonly string[];
  /** Names of groups that have a hostile member and also exchange private messages. */
  readonly hostileGroups: readonly (readonly string[])[];
  /** The namespaces in which users send. */
  readonly namespaces: readonly string[];
  readonly oracle: Oracle;
  /** Whether some party has asked to delete an item. */
  readonly hasAskedToDelete: (id: string) => boolean;
  /** Makes requests wait for the outcome; undefined if none does. */
  readonly waiters: Waiters | undefined;
  readonly messages: number;
  /** From the first to the last planned send. */
  readonly spanMs: number;
}

/** Senders: bursts, sequences, topics in opposite orders, and repeats after lost answers. */
export interface Client {
  start(): void;
  /** Whether every send has its answer or will never get one. */
  isDone(): boolean;
  sends(): readonly SendRecord[];
  drafts(): readonly Draft[];
}

const uuidPattern = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
const repeatMs = 400;
/** Attempts to send a message whose datatype the node does not know; it may never be defined. */
const maxTries = 6;

export function createClient(parts: ClientParts): Client {
  const { simulator, oracle, messages, spanMs } = parts;
  const { scheduler, faults, sometimes } = simulator;
  const { random } = scheduler;
  const drafts: Draft[] = [];
  const drawing = createDrawing(parts);

  /** Makes one attempt; `next` is called when the send has ended. */
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
      if (keyOf(sent) === undefined) over();
      else later('sends again');
    };
    if (life === undefined) {
      // The request was not received, so the client may retry.
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
        if (item !== undefined && sent.kind === 'broadcast') drawing.hold(draft, item);
        if (item !== undefined && sent.kind === 'datatype') draft.valueHashes.push(item.hash);
        checkType(draft, 'taken');
        if (random.fraction() < faults().answerLost) answered(again);
        else answered(() => accepted(message.header.id));
      },
      (error: unknown) => {
        answered(() => {
          const first = isUsedKey(error) ? uuidPattern.exec(error.message)?.[0] : undefined;
          const isOfUs = error instanceof Error && error.message.includes('simulated fault');
          if (!isSent) later('uploads again');
          else if (isOfUs || isServiceError(error, 'confirmation_late')) again();
          else if (isToldOfFailure(error)) over();
          else if (first !== undefined) {
            sometimes('idempotency key used again after a lost answer');
            accepted(first);
          } else if (isBeforeItsTime(error)) later('asks again for a party that is not known yet');
          else if (isServiceError(error, 'datatype_unknown') && draft.typed !== undefined) {
            draft.tries += 1;
            if (draft.tries < maxTries) later('asks again for a datatype that is not known yet');
            else over();
          } else if (isDeleted(draft) && isOfNoItem(error)) {
            over();
          } else if (isServiceError(error, 'value_breaks_schema')) {
            checkType(draft, 'refused');
            over();
          } else scheduler.fail(new Error(`a good request was refused: ${String(error)}`, { cause: error }));
        });
      },
    );
  }

  /** I10: a node must accept or refuse a value by the winning definition of its datatype. */
  function checkType({ typed, party, namespace }: Draft, answer: 'taken' | 'refused'): void {
    // A node that is to be rebuilt uses definitions of blocks that no longer exist.
    if (typed === undefined || !party.isHealed()) return;
    const { name, version, kind } = typed;
    const wanted = oracle.datatypes().kindOf(namespace, { name, version });
    const isRight = wanted !== undefined && (wanted === kind) === (answer === 'taken');
    if (isRight) return;
    const sentence = `${party.name} has ${answer} a ${kind} ${name}, of which there are ${wanted ?? 'none yet'}`;
    scheduler.fail(new InvariantViolation('I10', sentence));
  }

  /** Another member's item may have the id of a deleted one, and a datatype that is not defined. */
  function isOfNoItem(error: unknown): boolean {
    return (['data_unknown', 'datatype_unknown', 'blob_missing'] as const).some((code) => isServiceError(error, code));
  }

  function isDeleted({ items }: Draft): boolean {
    return items.some(({ id }) => id !== undefined && parts.hasAskedToDelete(id));
  }

  async function uploadFirst(draft: Draft): Promise<void> {
    if (draft.file === undefined) return;
    const id = await draft.party.upload(draft.file, draft.namespace);
    draft.file = undefined;
    draft.items.push({ id });
  }

  /** Sometimes sends the same key twice at once: one must be accepted and the other refused. */
  async function sendTwiceAtTimes({ party, namespace, sent }: Draft): Promise<Message> {
    const accept = (): Promise<Message> => party.send(sent, namespace);
    const send = (): Promise<Message> => parts.waiters?.message(party, accept) ?? accept();
    if (keyOf(sent) === undefined || random.fraction() >= 0.1) return send();
    const [one, other] = await Promise.allSettled([send(), send()]);
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

  /** Sends messages one after the other, each after the answer to the previous one, for I5. */
  function sequence(left: number): void {
    if (left > 0)
      begin(
        drawing.draw(drafts.length),
        () => void scheduler.after(random.fraction() * 50, 'client', 'goes on', () => sequence(left - 1)),
      );
  }

  return {
    start() {
      for (let planned = 0; planned < messages;) {
        const count = Math.min(messages - planned, 1 + random.integer(8));
        const isSequence = random.fraction() < 0.5;
        scheduler.after(random.fraction() * spanMs, 'client', 'begins', () => {
          if (isSequence) sequence(count);
          else for (let index = 0; index < count; index++) begin(drawing.draw(drafts.length), () => undefined);
        });
        planned += count;
      }
    },
    isDone: () => drafts.length === messages && drafts.every(({ isOver }) => isOver),
    sends: () => drafts.map(recordOf),
    drafts: () => drafts,
  };
}

function recordOf({ party, members, topics, tag, valueHashes, sentMs, acceptedMs, id }: Draft): SendRecord {
  return { party: party.name, ...(members && { members }), topics, tag, valueHashes, sentMs, acceptedMs, id };
}

function keyOf(sent: SendRequest): string | undefined {
  return sent.kind === 'datatype' ? undefined : sent.request.idempotencyKey;
}

function isUsedKey(error: unknown): error is ServiceError {
  return isServiceError(error, 'idempotency_key_used');
}

/** Whether a request has waited for its message, which was rejected or cancelled. */
function isToldOfFailure(error: unknown): boolean {
  const names = ['message_rejected', 'definition_rejected', 'operation_failed'] as const;
  return names.some((name) => isServiceError(error, name));
}

/** A node does not know a member whose registration it has not read yet. */
function isBeforeItsTime(error: unknown): boolean {
  return isServiceError(error, 'identity_unknown') || isServiceError(error, 'identity_without_node');
}
