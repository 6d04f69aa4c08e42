import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../wire/error.js';

/** A password by its scrypt hash (RFC 7914, r = 8, p = 1). */
export interface Password {
  readonly salt: Buffer;
  readonly hash: Buffer;
  /** N, a power of two. */
  readonly cost: number;
}

export interface Passwords {
  /**
   * Whether a password is the one that a name has; `known` is undefined for a name that nobody has, which takes as
   * long.
   *
   * @throws ServiceError stopping when too many wait to be looked at
   */
  verify(name: string, known: Password | undefined, password: string): Promise<boolean>;
}

const blockSize = 8;
const stranger: Password = { salt: Buffer.alloc(16), hash: Buffer.alloc(32), cost: 32_768 };

/**
 * Judges passwords. What was good once is known again by a MAC under a key that only this process has, so that a
 * request costs microseconds; what is wrong costs the whole hash each time, which is what slows down whoever guesses.
 * A hash takes 32 MiB and a tenth of a second of a core: there is one at a time, so that the node's own work goes on.
 */
export function createPasswords({ maxWaiting = 64 }: { readonly maxWaiting?: number } = {}): Passwords {
  const key = randomBytes(32);
  const good = new Map<string, Buffer>();
  /** By name and MAC: who comes many times at once is looked at once. */
  const waiting = new Map<string, Promise<boolean>>();
  let last: Promise<unknown> = Promise.resolve();

  function inTurn(name: string, work: () => Promise<boolean>): Promise<boolean> {
    if (waiting.size >= maxWaiting)
      throw new ServiceError('stopping', { what: 'Too many passwords wait to be checked' });
    const turn = last.then(work).finally(() => waiting.delete(name));
    waiting.set(name, turn);
    last = turn.catch(() => undefined);
    return turn;
  }

  return {
    async verify(name, known, password) {
      const mac = createHmac('sha256', key).update(password).digest();
      const remembered = known === undefined ? undefined : good.get(name);
      if (remembered !== undefined && timingSafeEqual(remembered, mac)) return true;
      const { salt, hash, cost } = known ?? stranger;
      const question = `${mac.toString('hex')} ${name}`;
      const isGood = await (waiting.get(question) ??
        inTurn(question, async () => timingSafeEqual(await hashPassword(password, salt, cost, hash.length), hash)));
      if (!isGood || known === undefined) return false;
      good.set(name, mac);
      return true;
    },
  };
}

function hashPassword(password: string, salt: Buffer, cost: number, sizeBytes: number): Promise<Buffer> {
  const maxmem = 256 * blockSize * cost;
  return new Promise((resolve, reject) => {
    scrypt(password, salt, sizeBytes, { N: cost, r: blockSize, p: 1, maxmem }, (error, hash) => {
      if (error === null) resolve(hash);
      else reject(error);
    });
  });
}
