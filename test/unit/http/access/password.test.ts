import { scryptSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createPasswords, type Password } from '../../../../src/http/access/password.js';

const cost = 16_384;

function aPassword(text: string): Password {
  const salt = Buffer.alloc(16, text.length);
  return { salt, cost, hash: scryptSync(text, salt, 32, { N: cost }) };
}

describe('passwords', () => {
  it('are accepted repeatedly, and a wrong one is refused even after a right one', async () => {
    const { verify } = createPasswords();
    const known = aPassword('right');
    expect(await verify('ann', known, 'right')).toBe(true);
    expect(await verify('ann', known, 'right')).toBe(true);
    expect(await verify('ann', known, 'wrong')).toBe(false);
    expect(await verify('ann', known, '')).toBe(false);
    expect(await verify('ann', known, 'right')).toBe(true);
  });

  it('are checked for their own names, whoever was admitted before', async () => {
    const { verify } = createPasswords();
    expect(await verify('ann', aPassword('one'), 'one')).toBe(true);
    expect(await verify('bea', aPassword('other'), 'one')).toBe(false);
    expect(await verify('eve', undefined, 'one')).toBe(false);
  });

  it('are checked once when they arrive many times at once', async () => {
    const { verify } = createPasswords({ maxWaiting: 1 });
    const known = aPassword('right');
    const answers = await Promise.all(Array.from({ length: 100 }, () => verify('ann', known, 'right')));
    expect(answers.every(Boolean)).toBe(true);
  });

  it('wait in a limited queue, and waiting ones are still answered', async () => {
    const { verify } = createPasswords({ maxWaiting: 2 });
    const known = aPassword('right');
    const asked = ['wrong', 'right', 'other'].map((text) => verify('ann', known, text));
    expect(await Promise.allSettled(asked)).toEqual([
      { status: 'fulfilled', value: false },
      { status: 'fulfilled', value: true },
      { status: 'rejected', reason: expect.objectContaining({ code: 'PY1010' }) },
    ]);
    expect(await verify('ann', known, 'other')).toBe(false);
  });
});
