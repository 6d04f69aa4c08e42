import { textOf } from '../../../../src/wire/json/json.js';
import { type Action, pathOf } from '../../actions/action.js';

const methods = { value: 'publishData', blob: 'publishDataBlob' } as const;

/** The request that publishes the value or the file of a data item to the shared store. */
export function publishDataAction(id: string, part: keyof typeof methods): Action {
  return {
    method: 'POST',
    path: pathOf('data', id, part, 'publish'),
    body: '{}',
    sdk: { method: methods[part], arguments: [textOf(id)] },
  };
}
