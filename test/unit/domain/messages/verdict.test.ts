import { expect, test } from 'vitest';
import { decide, noFacts } from '../../../../src/domain/messages/verdict.js';

test('a message without conditions is confirmed', () => {
  expect(decide({ type: 'broadcast' }, noFacts)).toEqual({ state: 'confirmed' });
  expect(decide({ type: 'private' }, noFacts)).toEqual({ state: 'confirmed' });
});

test('a message with an invalid item is rejected with the reason', () => {
  const refusedItem = 'FF10198: it does not conform';
  expect(decide({ type: 'broadcast' }, { refusedItem })).toEqual({ state: 'rejected', reason: refusedItem });
});

test('a definition that is refused at its place is rejected with the reason', () => {
  const refusedDefinition = 'FF10407: the name is taken';
  expect(decide({ type: 'definition' }, { refusedDefinition })).toEqual({
    state: 'rejected',
    reason: refusedDefinition,
  });
  expect(decide({ type: 'definition' }, noFacts)).toEqual({ state: 'confirmed' });
});

test('a missing operation takes precedence over invalid items', () => {
  const missingOperation = 'PY1901: no such transfer';
  const verdict = { state: 'rejected', reason: missingOperation };
  expect(decide({ type: 'broadcast' }, { missingOperation })).toEqual(verdict);
  expect(decide({ type: 'private' }, { missingOperation, refusedItem: 'FF10198: it does not conform' })).toEqual(
    verdict,
  );
});
