import { describe, expect, it } from 'vitest';
import { cancelBatchAction, retryAction } from '../../../ui/src/actions/operations/retry-action.js';
import { publishDataAction } from '../../../ui/src/pages/data/data-action.js';
import { replaceAction } from '../../../ui/src/pages/subscriptions/request.js';
import { publishAction } from '../../../ui/src/actions/publish-action.js';

describe('an action on a record', () => {
  it('publishes under its name or another one, and waits for confirmation', () => {
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

  it('publishes the value or the file of a data item', () => {
    expect(publishDataAction('i', 'value')).toMatchObject({ path: 'data/i/value/publish', body: '{}' });
    expect(publishDataAction('i', 'blob').sdk?.method).toBe('publishDataBlob');
  });

  it('replaces the filter and options of a subscription, with numbers as they were typed', () => {
    const subscription = { name: 'app', transport: 'websockets' } as const;
    const change = { filter: '{ "events": "^message" }', options: '{"readAhead": 50}' };
    expect(replaceAction(subscription, change)).toMatchObject({
      method: 'PUT',
      body: '{"name":"app","transport":"websockets","filter":{"events":"^message"},"options":{"readAhead":50}}',
      sdk: { method: 'replaceSubscription' },
    });
    expect(replaceAction(subscription, { ...change, filter: '[]' })).toBeUndefined();
    expect(replaceAction(subscription, { ...change, options: '{' })).toBeUndefined();
  });

  it('retries an operation, or cancels its batch', () => {
    expect(retryAction('a/b')).toEqual({
      method: 'POST',
      path: 'operations/a%2Fb/retry',
      sdk: { method: 'retryOperation', arguments: ['"a/b"'] },
    });
    expect(cancelBatchAction('b')).toEqual({ method: 'POST', path: 'batches/b/cancel' });
  });
});
