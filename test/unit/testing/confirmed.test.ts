import { expect, test } from 'vitest';
import { ClientError, UnreachableError } from '../../../src/client/errors.js';
import { untilConfirmed } from '../../../src/testing/confirmed.js';
import { createParty, type TestParty } from '../../../src/testing/party.js';
import type { Message } from '../../../src/wire/messages/message.js';

const url = 'http://127.0.0.1:1';
const answer = (status: number) => new ClientError({ status, text: `it answers ${status}`, body: '' });

/** A party whose node gives these answers in turn, then repeats the last one. */
function aParty(...answers: readonly (Error | 'confirmed')[]): TestParty {
  let calls = 0;
  return {
    ...createParty({ name: 'bob', url, namespace: 'default', headers: {} }),
    message: () => {
      const next = answers[Math.min(calls++, answers.length - 1)];
      if (next instanceof Error) return Promise.reject(next);
      return Promise.resolve({ state: 'confirmed' } as Message);
    },
  };
}

test('waits for a node that restarts or does not have the message yet', async () => {
  const party = aParty(new UnreachableError(url, new Error('refused')), answer(503), answer(404), 'confirmed');
  await expect(untilConfirmed('m', [party], 60_000)).resolves.toBeUndefined();
});

test.each([
  ['not here', answer(404)],
  ['not known (it answers 503)', answer(503)],
  [`not known (No answer from ${url}: refused)`, new UnreachableError(url, new Error('refused'))],
])('says at its time limit that the message is %s', async (state, error) => {
  await expect(untilConfirmed('m', [aParty(error)], 0)).rejects.toThrow(
    `The message m was not confirmed everywhere within 0 ms. bob: ${state}.`,
  );
});

test('ends at once when a node refuses', async () => {
  await expect(untilConfirmed('m', [aParty(answer(401), 'confirmed')], 60_000)).rejects.toThrow('it answers 401');
});
