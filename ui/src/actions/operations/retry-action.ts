import { textOf } from '../../../../src/wire/json/json.js';
import { type Action, pathOf } from '../action.js';

/** The request that retries a failed operation. */
export function retryAction(id: string): Action {
  return {
    method: 'POST',
    path: pathOf('operations', id, 'retry'),
    sdk: { method: 'retryOperation', arguments: [textOf(id)] },
  };
}

/** The request that cancels a batch whose pin has failed. */
export function cancelBatchAction(batch: string): Action {
  return { method: 'POST', path: pathOf('batches', batch, 'cancel') };
}
