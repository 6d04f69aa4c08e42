import type { Static, TSchema } from '@sinclair/typebox';
import { type ReactNode, useState } from 'react';
import type { Action } from './action.js';
import { ActionDialog, ActionForm } from './action-form.js';
import { useAction } from './use-action.js';

interface Props<T extends TSchema> {
  /** The label of the button that opens the dialog. */
  readonly label: string;
  /** Whether the button is shown; an open dialog stays open without it. Default: true. */
  readonly isOffered?: boolean;
  readonly title: string;
  /** The label of the button that sends the request; default: `label`. */
  readonly submit?: string;
  /** Undefined while the fields are incomplete. */
  readonly action: Action | undefined;
  /** The reason why there is no action yet. */
  readonly missing?: string;
  /** The schema of the answer. */
  readonly schema: T;
  /** The reads that the action changes. */
  readonly subjects: readonly string[];
  /** Called with the answer. The dialog closes unless `result` is given. */
  readonly onDone?: (answer: Static<T>) => void;
  /** Shows the result in place of the form. */
  readonly result?: (answer: Static<T>) => ReactNode;
  /** A description of the consequences, and the fields. */
  readonly children: ReactNode;
}

/** A button with a dialog that shows the request and its consequences before it is sent. */
export function ActionButton<T extends TSchema>(props: Props<T>) {
  const {
    label,
    isOffered = true,
    title,
    submit = label,
    action,
    missing,
    schema,
    subjects,
    onDone,
    result,
    children,
  } = props;
  const [isOpen, setOpen] = useState(false);
  const run = useAction(schema, ...subjects);
  const close = () => {
    setOpen(false);
    run.reset();
  };
  const done = (answer: Static<T>) => {
    if (result === undefined) close();
    onDone?.(answer);
  };
  return (
    <>
      {isOffered && (
        <button type="button" className="button" onClick={() => setOpen(true)}>
          {label}
        </button>
      )}
      <ActionDialog title={title} isOpen={isOpen} onClose={close}>
        {run.answer !== undefined && result !== undefined ? (
          <>
            {result(run.answer.value)}
            <button type="button" className="button" onClick={close} autoFocus>
              Close
            </button>
          </>
        ) : (
          <ActionForm action={action} run={run} submit={submit} missing={missing} onDone={done}>
            {children}
          </ActionForm>
        )}
      </ActionDialog>
    </>
  );
}
