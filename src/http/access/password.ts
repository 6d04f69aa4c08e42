import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../../wire/errors/error.js';

/** A password as its scrypt hash (RFC 7914, r = 8, p = 1). */
export interface Password {
  readonly salt: Buffer;
  readonly hash: Buffer;
  /** N, a power of two. */
  readonly cost: number;
}

export interface Passwords {
  /**
   * Verifies the password for a name; `known` is undefined for an unknown name, which takes the same time.
   *
   * @throws ServiceError stopping if too many verifications are waiting
   */
  verify(name: string, known: Password | undefined, password: string): Promise<boolean>;
}

const blockSize = 8;
const stranger: Password = { salt: Buffer.alloc(16), hash: Buffer.alloc(32), cost: 32_768 };

/**
 * Creates the verifier of passwords. A correct password is remembered by a MAC under a key of this process, so that
 * later requests take microseconds; a wrong one always takes the full hash, which slows down guessing. A hash takes 32
 * MiB and a tenth of a second of a core, so only one runs at a time.
 */
export function createPasswords({ maxWaiting = 64 }: { readonly maxWaiting?: number } = {}): Passwords {
  const key = randomBytes(32);
  const good = new Map<string, Buffer>();
  /** Verifications in progress, by name and MAC: repeated requests share one. */
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
