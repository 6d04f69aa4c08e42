import type { Action } from './action.js';
import { given, objectText } from './body-text.js';

export interface PublishFields {
  readonly networkName: string;
  readonly idempotencyKey: string;
}

/** The request that shares something of this node with all parties; it answers when they have it in their order. */
export function publishAction(path: string, { networkName, idempotencyKey }: PublishFields): Action {
  const body = objectText([
    ['networkName', given(networkName)],
    ['idempotencyKey', given(idempotencyKey)],
  ]);
  return { method: 'POST', path, query: { confirm: 'true' }, body };
}
