import { expect, test } from 'vitest';
import { StackError } from '../../../src/stack/error.js';
import { withoutDeleted } from '../../../src/testing/failure.js';

test.each(['START_TIMEOUT', 'START_FAILED'] as const)(
  'the error %s of a network that was deleted names none of its files',
  (code) => {
    const details = { service: 'chain', lines: ['a record'], crash: '/gone/crash', log: '/gone/chain.ndjson' };
    const error = withoutDeleted(
      new StackError(code, 'chain failed to start: It ended.', { hint: 'See /gone/crash', details }),
    );
    expect(error).toBeInstanceOf(StackError);
    expect(error).toMatchObject({
      code,
      message: 'chain failed to start: It ended.',
      hint: expect.stringContaining('details.lines'),
      details: { service: 'chain', lines: ['a record'] },
    });
    expect(JSON.stringify(error)).not.toContain('/gone');
  },
);

test('other errors are unchanged', () => {
  const errors = [new StackError('TEMPLATE_NOT_FOUND', 'There is no template nope.'), new Error('a hook failed')];
  expect(errors.map(withoutDeleted)).toEqual(errors);
});
