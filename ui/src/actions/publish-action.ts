import type { Action } from './action.js';
import { given, objectText } from './body-text.js';

export interface PublishFields {
  readonly networkName: string;
  readonly idempotencyKey: string;
}

/** The request that publishes a record to all parties. It is answered when the publication is confirmed. */
export function publishAction(path: string, { networkName, idempotencyKey }: PublishFields): Action {
  const body = objectText([
    ['networkName', given(networkName)],
    ['idempotencyKey', given(idempotencyKey)],
  ]);
  return { method: 'POST', path, query: { confirm: 'true' }, body };
}
