import { expect, test } from 'vitest';
import { ClientError, UnreachableError } from '../../../src/client/errors.js';
import { untilConfirmed } from '../../../src/testing/confirmed.js';
import { createParty, type TestParty } from '../../../src/testing/party.js';
import type { Message } from '../../../src/wire/messages/message.js';

const url = 'http://127.0.0.1:1';
const answer = (status: number) => new ClientError({ status, text: `it answers ${status}`, body: '' });

/** A party whose node has these answers, one after the other; the last one again and again. */
function aParty(...answers: readonly (Error | 'confirmed')[]): TestParty {
  let asked = 0;
  return {
    ...createParty({ name: 'bob', url, namespace: 'default', headers: {} }),
    message: () => {
      const next = answers[Math.min(asked++, answers.length - 1)];
      if (next instanceof Error) return Promise.reject(next);
      return Promise.resolve({ state: 'confirmed' } as Message);
    },
  };
}

test('A node that restarts, or has not read that far, is waited for', async () => {
  const party = aParty(new UnreachableError(url, new Error('refused')), answer(503), answer(404), 'confirmed');
  await expect(untilConfirmed('m', [party], 60_000)).resolves.toBeUndefined();
});

test.each([
  ['not here', answer(404)],
  ['not known (it answers 503)', answer(503)],
  [`not known (No answer from ${url}: refused)`, new UnreachableError(url, new Error('refused'))],
])('A wait that ends says that the message is %s', async (state, error) => {
  await expect(untilConfirmed('m', [aParty(error)], 0)).rejects.toThrow(
    `The message m was not confirmed everywhere within 0 ms. bob: ${state}.`,
  );
});

test('A refusal ends the wait at once', async () => {
  await expect(untilConfirmed('m', [aParty(answer(401), 'confirmed')], 60_000)).rejects.toThrow('it answers 401');
});
