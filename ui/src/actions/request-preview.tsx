import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { useExplorer } from '../api/explorer.js';
import { CopyButton } from '../components/record/copy.js';
import { Text } from '../components/text/text.js';
import type { Action } from './action.js';
import { type ActionTarget, curlText, isChangedBySdk, requestText, sdkText, stackText } from './action-texts.js';
import styles from './actions.module.css';

interface Form {
  readonly name: string;
  readonly title: string;
  /** The name of the text, for the copy button. */
  readonly what: string;
  readonly textOf: (action: Action, target: ActionTarget) => string | undefined;
}

const forms: readonly Form[] = [
  { name: 'request', title: 'Request', what: 'the request', textOf: requestText },
  { name: 'curl', title: 'curl', what: 'the curl command', textOf: curlText },
  { name: 'stack', title: 'stack', what: 'the stack command', textOf: stackText },
  { name: 'sdk', title: 'SDK', what: 'the code', textOf: sdkText },
];

interface Props {
  /** Undefined while the form is incomplete. */
  readonly action: Action | undefined;
  /** Shown while there is no action. */
  readonly missing?: ReactNode;
}

/** A preview of an action as a request, a curl command, a `stack` command, and code for the SDK. */
export function RequestPreview({ action, missing = 'Fill in the form to see the request.' }: Props) {
  const [chosen, setChosen] = useState('request');
  const target = useTarget();
  const id = useId();
  const form = forms.find(({ name }) => name === chosen);
  return (
    <div className={styles.preview}>
      <Tabs id={id} chosen={chosen} onChoose={setChosen} />
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`} className={styles.previewPanel}>
        {action === undefined || form === undefined ? (
          <p className="muted">{missing}</p>
        ) : (
          <Shown form={form} action={action} target={target} />
        )}
      </div>
    </div>
  );
}

function Shown({
  form,
  action,
  target,
}: {
  readonly form: Form;
  readonly action: Action;
  readonly target: ActionTarget;
}) {
  const text = form.textOf(action, target);
  const note = useNote(form.name, action);
  if (text === undefined) return <p className="muted">The SDK has no method for this request: use curl or stack.</p>;
  return (
    <>
      <div className={styles.previewText}>
        <pre tabIndex={0} aria-label={form.title} data-form={form.name}>
          <Text key={form.name} value={text} isMultiline />
        </pre>
        <CopyButton text={text} what={form.what} />
      </div>
      {note !== undefined && <p className="muted caption">{note}</p>}
    </>
  );
}

/** A note on how a form differs from the request; undefined if it does not. */
function useNote(form: string, action: Action): string | undefined {
  const { config } = useExplorer();
  if (form === 'sdk' && isChangedBySdk(action))
    return 'The SDK sends JavaScript values: large numbers are rounded, 1.0 becomes 1. The others send the exact text.';
  if (!config.auth || form === 'request') return undefined;
  if (form === 'curl') return 'The node requires credentials: add -u USER:PASSWORD, or -H with a file of your token.';
  if (form === 'stack') return 'The node requires credentials: add --auth-file FILE if the stack is not your own.';
  return 'The node requires credentials: add requestConfig: { auth: { username, password } } to its options.';
}

interface TabsProps {
  readonly id: string;
  readonly chosen: string;
  readonly onChoose: (name: string) => void;
}

function Tabs({ id, chosen, onChoose }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const moved = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const at = forms.findIndex(({ name }) => name === chosen);
    const next = forms[(at + by + forms.length) % forms.length];
    if (by === 0 || next === undefined) return;
    event.preventDefault();
    onChoose(next.name);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.name}"]`)?.focus();
  };
  return (
    <div ref={list} role="tablist" aria-label="Request format" className={styles.tabs} onKeyDown={moved}>
      {forms.map(({ name, title }) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`${id}-${name}`}
          data-tab={name}
          aria-selected={name === chosen}
          aria-controls={`${id}-panel`}
          tabIndex={name === chosen ? 0 : -1}
          onClick={() => onChoose(name)}
        >
          {title}
        </button>
      ))}
    </div>
  );
}

/** This node, as commands address it. */
export function useTarget(): ActionTarget {
  const { client, config } = useExplorer();
  const party = config.parties.find(({ url }) => isHere(url, client.url));
  return { url: client.url, namespace: client.namespace, party: party?.name, stack: config.stack };
}

function isHere(url: string, own: string): boolean {
  return URL.canParse(url) && new URL(url).origin === own;
}
