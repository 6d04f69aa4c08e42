import { textOf } from '../../../../src/wire/json/json.js';
import { type Action, pathOf } from '../action.js';

export function retryAction(id: string): Action {
  return {
    method: 'POST',
    path: pathOf('operations', id, 'retry'),
    sdk: { method: 'retryOperation', arguments: [textOf(id)] },
  };
}

export function cancelBatchAction(batch: string): Action {
  return { method: 'POST', path: pathOf('batches', batch, 'cancel') };
}
