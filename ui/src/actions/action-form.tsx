import { type FormEvent, type ReactNode, useState } from 'react';
import { Dialog } from '../components/page/dialog.js';
import type { Action } from './action.js';
import { ActionFailure } from './action-failure.js';
import styles from './actions.module.css';
import { RequestPreview } from './request-preview.js';
import type { ActionRun } from './use-action.js';

interface FormProps<Value> {
  /** Undefined while the fields are incomplete. */
  readonly action: Action | undefined;
  readonly run: ActionRun<Value>;
  /** The label of the button that sends the request. */
  readonly submit: string;
  /** The reason why there is no action yet. */
  readonly missing?: string | undefined;
  /** Called with the answer to a request that succeeded. */
  readonly onDone: (value: Value) => void;
  /** Called on submit, even if the fields are incomplete. */
  readonly onTried?: () => void;
  /** The fields. */
  readonly children: ReactNode;
}

/** A form with a preview of its request, a submit button, and the error of the last attempt. */
export function ActionForm<Value>({ action, run, submit, missing, onDone, onTried, children }: FormProps<Value>) {
  const [isTried, setTried] = useState(false);
  const submitted = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    onTried?.();
    if (action === undefined || run.isSending) return;
    const answer = await run.run(action);
    if (answer === undefined) return;
    setTried(false);
    onDone(answer.value);
  };
  return (
    <form className={styles.form} onSubmit={submitted} data-tried={isTried} noValidate>
      {children}
      <RequestPreview action={action} {...(missing !== undefined && { missing })} />
      {run.error !== undefined && <ActionFailure error={run.error} />}
      <div className={styles.buttons}>
        <button className="button primary" disabled={run.isSending}>
          {run.isSending ? 'Sending…' : submit}
        </button>
        {isTried && action === undefined && (
          <span role="status" className={styles.problem}>
            {missing ?? 'Some fields are empty or invalid.'}
          </span>
        )}
      </div>
    </form>
  );
}

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** An `ActionForm`, or the view of its result. */
  readonly children: ReactNode;
}

export function ActionDialog({ title, isOpen, onClose, children }: DialogProps) {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose} isWide>
      {children}
    </Dialog>
  );
}
