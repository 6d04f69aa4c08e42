import { expect, test } from 'vitest';
import { assert, InvariantError } from '../../../src/domain/invariant.js';

test('what holds passes, what does not is our own error with its sentence', () => {
  expect(() => assert(true, 'a pin is spent once')).not.toThrow();
  expect(() => assert(false, 'a pin is spent once')).toThrow(InvariantError);
});
