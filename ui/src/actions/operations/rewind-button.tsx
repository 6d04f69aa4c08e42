import { textOf } from '../../../../src/wire/json/json.js';
import { Rewind } from '../../../../src/wire/messages/pin.js';
import { ActionButton } from '../action-button.js';

/** Makes the node look again at the waiting pins from those of a batch on. */
export function RewindButton({ batch }: { readonly batch: string }) {
  return (
    <ActionButton
      label="Look again"
      title="Look again at the waiting pins"
      action={{ method: 'POST', path: 'pins/rewind', body: textOf({ batch }) }}
      schema={Rewind}
      subjects={['messages', 'pins', 'batches', 'status']}
    >
      <p>
        The node decides by itself as soon as what a message waits for is here. This makes it look at every waiting pin
        from this batch on at once; nothing is decided otherwise.
      </p>
    </ActionButton>
  );
}
