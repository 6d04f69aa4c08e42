import { describe, expect, it } from 'vitest';
import { cancelBatchAction, retryAction } from '../../../ui/src/actions/operations/retry-action.js';
import { publishAction } from '../../../ui/src/actions/publish-action.js';

describe('an action on a record', () => {
  it('publishes under the name that it has, or another, and answers when that is confirmed', () => {
    const nothing = { networkName: '', idempotencyKey: '' };
    expect(publishAction('apis/escrow/publish', nothing)).toEqual({
      method: 'POST',
      path: 'apis/escrow/publish',
      query: { confirm: 'true' },
      body: '{}',
    });
    expect(publishAction('x', { networkName: 'a"b', idempotencyKey: 'k' }).body).toBe(
      '{"networkName":"a\\"b","idempotencyKey":"k"}',
    );
  });

  it('tries an operation again, or gives up its batch', () => {
    expect(retryAction('a/b')).toEqual({
      method: 'POST',
      path: 'operations/a%2Fb/retry',
      sdk: { method: 'retryOperation', arguments: ['"a/b"'] },
    });
    expect(cancelBatchAction('b')).toEqual({ method: 'POST', path: 'batches/b/cancel' });
  });
});
