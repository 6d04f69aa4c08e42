import { expect, it } from 'vitest';
import { finalHint } from '../../../src/stack/status.js';

it('a service that has ended for good has a hint unless its message names the command that leads back', () => {
  const reorganised = 'The chain was reorganised. To read its history again: stack node rebuild alice';
  expect([reorganised, 'Another chain.', null].map((message) => finalHint(message) === undefined)).toEqual([
    true,
    false,
    false,
  ]);
});
