import { textOf } from '../../../../src/wire/json/json.js';
import { Rewind } from '../../../../src/wire/messages/pin.js';
import { ActionButton } from '../action-button.js';

/** A button that makes the node check all waiting pins again, from those of a batch on. */
export function RewindButton({ batch }: { readonly batch: string }) {
  return (
    <ActionButton
      label="Check pins again"
      title="Check the waiting pins again"
      action={{ method: 'POST', path: 'pins/rewind', body: textOf({ batch }) }}
      schema={Rewind}
      subjects={['messages', 'pins', 'batches', 'status']}
    >
      <p>
        The node checks a message automatically when what it waits for arrives. This makes it check every waiting pin
        from this batch on now; it does not change any decision.
      </p>
    </ActionButton>
  );
}
