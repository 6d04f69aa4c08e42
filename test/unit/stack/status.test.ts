import { expect, it } from 'vitest';
import { finalHint } from '../../../src/stack/status.js';

it('a service that has ended for good has a way back beside the one that its message names', () => {
  const reorganised = 'The chain was reorganised. To read its history again: stack node rebuild alice';
  const hints = [reorganised, 'Another chain.', null].map(finalHint);
  expect(hints.map((hint) => /^(?:Or b|B)ring back .* stack reset\.$/.test(hint))).toEqual([true, true, true]);
  expect(hints.map((hint) => hint.startsWith('Or '))).toEqual([true, false, false]);
});
