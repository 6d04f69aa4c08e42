import type { Faults } from './faults.js';
import type { Scheduler } from './scheduler.js';
import type { Situation } from './situations.js';

/** What the wrapped ports share. */
export interface Surroundings {
  readonly scheduler: Scheduler;
  /** The faults that are on now. */
  faults(): Faults;
  /** Counts a situation that the seeds together have to reach. */
  sometimes(situation: Situation): void;
}

/** One run of a node program, from its start to its death. */
export interface Life {
  /** The party and the number of the life: `alice#2`. */
  readonly name: string;
  readonly party: string;
  readonly isDead: boolean;
  /** From now on no port call of this life returns, and none changes anything of its own. */
  end(): void;
  onEnd(listener: () => void): void;
  /** The life ends at its n-th port call from now, before or after that call has its effect. */
  endAtCall(number: number, isAfterEffect: boolean): void;
  /** Makes a port call an event: it has its effect, and later its answer, when the heap says so. */
  call<R>(what: string, perform: () => Promise<R>, how?: CallOptions): Promise<R>;
}

export interface CallOptions {
  /** Until the effect, and from the effect to the answer. */
  readonly requestMs?: number;
  readonly replyMs?: number;
  /** What has left the process goes on without it: the effect may come after the death of the caller. */
  readonly isRemote?: boolean;
  /** The call does not arrive, or its answer does not: the caller gets this error. */
  readonly lost?: { readonly leg: 'request' | 'reply'; readonly error: Error };
}

/** The party lives until `end`. */
export function createLife({ scheduler, sometimes }: Surroundings, party: string, number: number): Life {
  const name = `${party}#${number}`;
  const listeners: (() => void)[] = [];
  let isDead = false;
  let deathAfterCalls = 0;
  let diesAfterEffect = false;

  function end(): void {
    if (isDead) return;
    isDead = true;
    scheduler.note(name, 'dies');
    for (const listener of listeners) listener();
  }

  /** Whether the life ends with this call, and when. */
  function fateOfCall(): 'lives' | 'before' | 'after' {
    if (deathAfterCalls === 0) return 'lives';
    deathAfterCalls -= 1;
    if (deathAfterCalls > 0) return 'lives';
    return diesAfterEffect ? 'after' : 'before';
  }

  return {
    name,
    party,
    get isDead() {
      return isDead;
    },
    end,
    onEnd: (listener) => void listeners.push(listener),
    endAtCall(callNumber, isAfterEffect) {
      deathAfterCalls = callNumber;
      diesAfterEffect = isAfterEffect;
    },
    call: (what, perform, { requestMs = 0, replyMs = 0, isRemote = false, lost } = {}) =>
      new Promise((resolve, reject) => {
        if (isDead) return;
        const fate = fateOfCall();
        if (fate === 'before' && !isRemote) {
          end();
          return;
        }
        const answer = (settle: () => void): void => {
          if (isDead) return;
          if (replyMs === 0) settle();
          else scheduler.after(replyMs, name, `${what}, answered`, () => void (isDead || settle()));
        };
        scheduler.after(requestMs, name, what, () => {
          if (isDead && !isRemote) return;
          if (isDead) sometimes('effect after the death of the caller');
          if (lost?.leg === 'request') {
            answer(() => reject(lost.error));
            return;
          }
          perform().then(
            (value) => {
              if (fate === 'after') {
                sometimes('death between an effect and its answer');
                end();
              }
              answer(() => (lost === undefined ? resolve(value) : reject(lost.error)));
            },
            (error: unknown) => {
              answer(() => reject(error instanceof Error ? error : new Error(String(error))));
            },
          );
        });
        if (fate === 'before') end();
      }),
  };
}
