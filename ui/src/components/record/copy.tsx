import { useEffect, useState } from 'react';
import { Icon } from '../icon.js';
import styles from './copy.module.css';

const shownMs = 1_200;

interface Props {
  readonly text: string;
  /** The name of the text, such as `the id`, for tooltip and screen readers. */
  readonly what: string;
  /** A visible label beside the icon. */
  readonly label?: string;
}

export function CopyButton({ text, what, label }: Props) {
  const [last, setLast] = useState<{ readonly text: string; readonly state: Outcome }>();
  useEffect(() => {
    if (last === undefined) return;
    const timer = setTimeout(() => setLast(undefined), shownMs);
    return () => clearTimeout(timer);
  }, [last]);
  const copy = async () => setLast({ text, state: await copyText(text) });
  // The text may have changed since, for example by a choice of another tab.
  const state = last?.text === text ? last.state : undefined;
  const said = state === 'copied' ? 'Copied' : state === 'failed' ? 'The browser refused to copy' : undefined;
  return (
    <button
      type="button"
      className={label === undefined ? styles.copy : 'button'}
      {...(label === undefined && { 'aria-label': said ?? `Copy ${what}` })}
      title={said ?? `Copy ${what}`}
      data-copy={what}
      onClick={(event) => {
        event.stopPropagation();
        void copy();
      }}
    >
      <Icon name={state === 'copied' ? 'check' : state === 'failed' ? 'cross' : 'copy'} />
      {label !== undefined && <span>{said ?? label}</span>}
    </button>
  );
}

type Outcome = 'copied' | 'failed';

async function copyText(text: string): Promise<Outcome> {
  // Browsers offer no clipboard to a page served over plain HTTP from another machine.
  try {
    await navigator.clipboard.writeText(text);
    return 'copied';
  } catch {
    return 'failed';
  }
}
