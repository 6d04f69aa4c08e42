import { textOf } from '../../../../src/wire/json/json.js';
import { type Action, pathOf } from '../action.js';

/** The request that tries a failed operation again. */
export function retryAction(id: string): Action {
  return {
    method: 'POST',
    path: pathOf('operations', id, 'retry'),
    sdk: { method: 'retryOperation', arguments: [textOf(id)] },
  };
}

/** The request that gives up a batch whose pin has failed. */
export function cancelBatchAction(batch: string): Action {
  return { method: 'POST', path: pathOf('batches', batch, 'cancel') };
}
