import type { Faults } from './faults.js';
import type { Scheduler } from './scheduler.js';
import type { Situation } from './situations.js';

/** Dependencies of all simulated ports. */
export interface Simulator {
  readonly scheduler: Scheduler;
  /** The current faults. */
  faults(): Faults;
  /** Counts a situation that the seeds together must reach. */
  sometimes(situation: Situation): void;
}

/** One run of a node, from start to death. */
export interface Life {
  /** The party and the number of the life, such as `alice#2`. */
  readonly name: string;
  readonly party: string;
  readonly isDead: boolean;
  /** Kills the life: from then on none of its port calls returns or has an effect. */
  end(): void;
  onEnd(listener: () => void): void;
  /** Kills the life at its n-th port call, before or after the call's effect. */
  endAtCall(number: number, isAfterEffect: boolean): void;
  /** Runs a port call as two events: first its effect and later its answer, at times that the scheduler chooses. */
  call<R>(what: string, perform: () => Promise<R>, how?: CallOptions): Promise<R>;
}

export interface CallOptions {
  /** Delays before the effect, and from the effect to the answer. */
  readonly requestMs?: number;
  readonly replyMs?: number;
  /** Whether the effect may occur after the death of the caller, because the request has left the process. */
  readonly isRemote?: boolean;
  /** Loses the request or the answer; the caller gets this error. */
  readonly lost?: { readonly leg: 'request' | 'reply'; readonly error: Error };
}

export function createLife({ scheduler, sometimes }: Simulator, party: string, number: number): Life {
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
