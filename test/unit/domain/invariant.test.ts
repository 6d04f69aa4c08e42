import { expect, test } from 'vitest';
import { assert, InvariantError } from '../../../src/domain/invariant.js';

test("a true condition passes, a false one is this project's error with its sentence", () => {
  expect(() => assert(true, 'a pin is spent once')).not.toThrow();
  expect(() => assert(false, 'a pin is spent once')).toThrow(InvariantError);
});
