import type { AcceptedOperation } from '../../src/pipeline/accept/tokens/transfer.js';
import type { MessageRow } from '../../src/ports/tables/tables.js';
import { every } from '../../src/ports/tables/where.js';
import { isServiceError } from '../../src/wire/errors/error.js';
import type { Message } from '../../src/wire/messages/message.js';
import type { Simulator } from './life.js';
import type { Party } from './party.js';
import { InvariantViolation } from './shadow.js';

export interface WaiterParts {
  readonly simulator: Simulator;
  /** Whether rings are lost, so that a cancellation may be noticed too late. */
  readonly losesBells: boolean;
  /** Whether the chain replaces blocks, so that verdicts may change. */
  readonly isReorganised: boolean;
}

/** An accepted operation of tokens. */
type Accepted = AcceptedOperation<{ readonly localId: string }>;

/** Users whose requests wait for the outcome (docs/api.md §6), some of them until their node dies. */
export interface Waiters {
  /** Makes a request for a message, which sometimes waits. */
  message(party: Party, accept: () => Promise<Message>): Promise<Message>;
  /** Makes a request for an operation of tokens, which sometimes waits. */
  operation<T extends Accepted>(party: Party, type: OperationType, accept: () => Promise<T>): Promise<T>;
  /** I6, I12: each answer was true, and no request waits for something that is decided. */
  check(): Promise<void>;
}

type OperationType = 'token_transfer' | 'token_approval';

/** A request that waits for a message, or has waited. */
interface Wait {
  readonly party: Party;
  readonly isOver: () => boolean;
  message: Pick<MessageRow, 'id' | 'hash'> | undefined;
  answer: MessageRow['state'] | 'late' | undefined;
  /** Whether the message was decided long before the deadline. */
  wasDecidedEarly: boolean;
}

/** The default of the header `Request-Timeout`. */
const deadlineMs = 120_000;
/** More than a node takes to notice what it was not told of. */
const noticeMs = 20_000;
const query = new Map([['confirm', 'true']]);

export function createWaiters({ simulator, losesBells, isReorganised }: WaiterParts): Waiters {
  const { scheduler, sometimes } = simulator;
  const { random } = scheduler;
  const waits: Wait[] = [];

  /** The serving life, and a deadline for a request to it; undefined for a request that does not wait. */
  function begin(party: Party) {
    const serving = party.serving();
    if (serving === undefined || random.fraction() < 0.5) return undefined;
    const { life, confirming } = serving;
    const wait: Wait = {
      party,
      isOver: () => life.isDead,
      message: undefined,
      answer: undefined,
      wasDecidedEarly: false,
    };
    waits.push(wait);
    life.onEnd(() => {
      if (wait.answer === undefined && wait.message !== undefined) sometimes('death while a request waits');
    });
    const over = new AbortController();
    scheduler.after(deadlineMs - noticeMs, life.name, 'a request will be late', () => void lookAt(wait));
    scheduler.after(deadlineMs, life.name, 'a request is late', () => {
      if (!life.isDead) over.abort('over');
    });
    return { wait, confirming: confirming(), deadline: { signal: over.signal, waits: () => undefined } };
  }

  async function lookAt(wait: Wait): Promise<void> {
    if (wait.message === undefined || wait.answer !== undefined) return;
    wait.wasDecidedEarly = isDecided(await stateOf(wait), losesBells);
  }

  function note(wait: Wait, error: unknown): void {
    if (isServiceError(error, 'message_rejected') || isServiceError(error, 'definition_rejected')) {
      sometimes('request told of a rejection');
      wait.answer = 'rejected';
    } else if (isServiceError(error, 'operation_failed')) {
      wait.answer = 'cancelled';
      sometimes('request told of a cancellation');
    } else if (isServiceError(error, 'confirmation_late')) {
      wait.answer = 'late';
    } else wait.message = undefined;
  }

  return {
    async message(party, accept) {
      const begun = begin(party);
      if (begun === undefined) return accept();
      const { wait, confirming, deadline } = begun;
      try {
        const message = await confirming.message({ query, deadline }, async () => {
          const accepted = await accept();
          wait.message = { id: accepted.header.id, hash: accepted.hash };
          return accepted;
        });
        wait.answer = 'confirmed';
        sometimes('request told of a confirmation');
        return message;
      } catch (error) {
        note(wait, error);
        throw error;
      }
    },
    async operation(party, type, accept) {
      const begun = begin(party);
      if (begun === undefined) return accept();
      const { wait, confirming, deadline } = begun;
      try {
        const started = await confirming.tokens(
          { query, deadline },
          {
            async start() {
              const accepted = await accept();
              const { message } = accepted;
              if (message !== undefined) wait.message = { id: message.header.id, hash: message.hash };
              return accepted;
            },
            outcomeOf: ({ record, operation }, event) => {
              if (event.type === `${type}_confirmed` && event.reference === record.localId) return 'confirmed';
              return event.type === `${type}_op_failed` && event.reference === operation ? 'failed' : undefined;
            },
          },
        );
        wait.answer = 'confirmed';
        sometimes('request told of an operation');
        return started;
      } catch (error) {
        note(wait, error);
        // A user may have retried the operation since.
        if (wait.answer === 'cancelled') wait.message = undefined;
        throw error;
      }
    },
    async check() {
      for (const wait of waits) {
        const { party, message, answer, wasDecidedEarly } = wait;
        if (message === undefined) continue;
        const state = await stateOf(wait);
        const about = `a request at ${party.name} for message ${message.id}, which is ${state ?? 'gone'},`;
        if (answer === undefined && !wait.isOver() && isDecided(state, losesBells)) {
          throw new InvariantViolation('I12', `${about} waits`);
        }
        if (answer === 'late' && wasDecidedEarly) throw new InvariantViolation('I12', `${about} was told too late`);
        if (answer !== undefined && answer !== 'late' && answer !== state && !isReorganised) {
          throw new InvariantViolation('I6', `${about} was told that it is ${answer}`);
        }
      }
    },
  };
}

async function stateOf({ party: { disk }, message }: Wait): Promise<MessageRow['state'] | undefined> {
  if (message === undefined) return undefined;
  return (await disk.first('messages', { namespace: every, id: message.id, hash: message.hash }))?.state;
}

/** Whether a request must have been told of this state. */
function isDecided(state: MessageRow['state'] | undefined, losesBells: boolean): boolean {
  return state === 'confirmed' || state === 'rejected' || (state === 'cancelled' && !losesBells);
}
