import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { useExplorer } from '../api/explorer.js';
import { CopyButton } from '../components/record/copy.js';
import { Text } from '../components/text/text.js';
import type { Action } from './action.js';
import { type ActionTarget, curlText, isChangedBySdk, requestText, sdkText, stackText } from './action-texts.js';
import styles from './actions.module.css';

interface Form {
  readonly title: string;
  /** The name of the text, for the copy button. */
  readonly what: string;
}

const forms = {
  request: { title: 'Request', what: 'the request' },
  curl: { title: 'curl', what: 'the curl command' },
  stack: { title: 'stack', what: 'the stack command' },
  sdk: { title: 'SDK', what: 'the code' },
} as const satisfies Readonly<Record<string, Form>>;

type FormName = keyof typeof forms;

const textOf: Readonly<Record<FormName, (action: Action, target: ActionTarget) => string | undefined>> = {
  request: requestText,
  curl: curlText,
  stack: stackText,
  sdk: sdkText,
};
const names = ['request', 'curl', 'stack', 'sdk'] as const;

interface Props {
  /** Undefined while the form is incomplete. */
  readonly action: Action | undefined;
  /** Shown while there is no action. */
  readonly missing?: ReactNode;
}

/** A preview of an action as a request, a curl command, a `stack` command, and code for the SDK. */
export function RequestPreview({ action, missing = 'Fill in the form to see the request.' }: Props) {
  const target = useTarget();
  const isChanged = action !== undefined && isChangedBySdk(action);
  return (
    <TextPreview
      names={names}
      textOf={action && ((name) => textOf[name](action, target))}
      missing={missing}
      {...(isChanged && { sdkNote })}
    />
  );
}

const sdkNote =
  'The SDK sends JavaScript values: large numbers are rounded, 1.0 becomes 1. The others send the exact text.';

interface TextProps<Name extends FormName> {
  readonly names: readonly Name[];
  /** The text of a form, undefined if there is none. Undefined while the form is incomplete. */
  readonly textOf: ((name: Name) => string | undefined) | undefined;
  readonly missing: ReactNode;
  /** A note on how the code for the SDK differs from the request. */
  readonly sdkNote?: string;
}

/** The forms of a request, each in its tab. */
export function TextPreview<Name extends FormName>({ names: shown, textOf: get, missing, ...notes }: TextProps<Name>) {
  const [chosen = shown[0], setChosen] = useState<Name>();
  const id = useId();
  return (
    <div className={styles.preview}>
      <Tabs id={id} names={shown} chosen={chosen} onChoose={setChosen} />
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`} className={styles.previewPanel}>
        {get === undefined || chosen === undefined ? (
          <p className="muted">{missing}</p>
        ) : (
          <Shown name={chosen} text={get(chosen)} {...notes} />
        )}
      </div>
    </div>
  );
}

interface ShownProps {
  readonly name: FormName;
  readonly text: string | undefined;
  readonly sdkNote?: string;
}

function Shown({ name, text, ...notes }: ShownProps) {
  const note = useNote(name, notes.sdkNote);
  const { title, what } = forms[name];
  if (text === undefined) return <p className="muted">The SDK has no method for this request: use curl or stack.</p>;
  return (
    <>
      <div className={styles.previewText}>
        <pre tabIndex={0} aria-label={title} data-form={name}>
          <Text key={name} value={text} isMultiline />
        </pre>
        <CopyButton text={text} what={what} />
      </div>
      {note !== undefined && <p className="muted caption">{note}</p>}
    </>
  );
}

/** A note on how a form differs from the request; undefined if it does not. */
function useNote(form: FormName, ofSdk: string | undefined): string | undefined {
  const { config } = useExplorer();
  if (form === 'sdk' && ofSdk !== undefined) return ofSdk;
  if (!config.auth || form === 'request') return undefined;
  if (form === 'curl') return 'The node requires credentials: add -u USER:PASSWORD, or -H with a file of your token.';
  if (form === 'stack') return 'The node requires credentials: add --auth-file FILE if the stack is not your own.';
  return 'The node requires credentials: add requestConfig: { auth: { username, password } } to its options.';
}

interface TabsProps<Name> {
  readonly id: string;
  readonly names: readonly Name[];
  readonly chosen: Name | undefined;
  readonly onChoose: (name: Name) => void;
}

function Tabs<Name extends FormName>({ id, names: shown, chosen, onChoose }: TabsProps<Name>) {
  const list = useRef<HTMLDivElement>(null);
  const moved = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const at = shown.findIndex((name) => name === chosen);
    const next = shown[(at + by + shown.length) % shown.length];
    if (by === 0 || next === undefined) return;
    event.preventDefault();
    onChoose(next);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus();
  };
  return (
    <div ref={list} role="tablist" aria-label="Request format" className={styles.tabs} onKeyDown={moved}>
      {shown.map((name) => (
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
          {forms[name].title}
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
