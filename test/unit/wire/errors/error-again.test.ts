import { expect, test } from 'vitest';
import { ServiceError } from '../../../../src/wire/errors/error.js';
import { serviceErrorOf } from '../../../../src/wire/errors/error-again.js';

test('an error is made again from its plain data', () => {
  const error = new ServiceError('bad_schema', { problem: 'it is a number' });
  const { reason, fields } = error;
  const again = serviceErrorOf(structuredClone({ reason, fields }));
  expect(again).toBeInstanceOf(ServiceError);
  expect(again.message).toBe(error.message);
  expect(again.status).toBe(error.status);
});
