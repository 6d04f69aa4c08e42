import { expect, test } from 'vitest';
import { SchemaFault } from '../../../../src/domain/schema/fault.js';

test('a fault of a schema is a named error with the end of a sentence', () => {
  expect(new SchemaFault('it is not an object')).toMatchObject({ name: 'SchemaFault', message: 'it is not an object' });
});
