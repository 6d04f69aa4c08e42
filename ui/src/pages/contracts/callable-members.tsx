import { useState } from 'react';
import type { FfiEvent, FfiMethod } from '../../../../src/wire/contracts/contract.js';
import { ActionDialog } from '../../actions/action-form.js';
import { CallForm } from './forms/call-form.js';
import { ListenerForm } from './forms/listener-form.js';
import type { CallTarget } from './forms/requests.js';
import { Members } from './members.js';

interface MethodsProps {
  readonly of: readonly FfiMethod[];
  readonly target: CallTarget;
}

/** The methods of a contract, each with a form to call it. */
export function Methods({ of, target }: MethodsProps) {
  const [chosen, setChosen] = useState<FfiMethod | undefined>(undefined);
  return (
    <>
      <Members
        title="Methods"
        none="No methods."
        of={of}
        actions={(each) => (
          <button type="button" className="button" onClick={() => setChosen(each)}>
            Call
          </button>
        )}
      />
      <ActionDialog
        title={`Call ${chosen?.name ?? ''}`}
        isOpen={chosen !== undefined}
        onClose={() => setChosen(undefined)}
      >
        {chosen !== undefined && <CallForm method={chosen} target={target} />}
      </ActionDialog>
    </>
  );
}

interface EventsProps {
  readonly of: readonly FfiEvent[];
  readonly target: CallTarget;
}

/** The events of a contract, each with a form to listen for it. */
export function Events({ of, target }: EventsProps) {
  const [chosen, setChosen] = useState<FfiEvent | undefined>(undefined);
  return (
    <>
      <Members
        title="Events"
        none="No events."
        of={of}
        actions={(each) => (
          <button type="button" className="button" onClick={() => setChosen(each)}>
            Listen
          </button>
        )}
      />
      <ActionDialog
        title={`Listen for ${chosen?.name ?? ''}`}
        isOpen={chosen !== undefined}
        onClose={() => setChosen(undefined)}
      >
        {chosen !== undefined && <ListenerForm target={target} event={chosen.pathname ?? chosen.name} />}
      </ActionDialog>
    </>
  );
}
