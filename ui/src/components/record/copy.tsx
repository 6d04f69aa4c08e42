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
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), shownMs);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () => copyText(text).then(setState);
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

async function copyText(text: string): Promise<'copied' | 'failed'> {
  // Browsers offer no clipboard to a page served over plain HTTP from another machine.
  try {
    await navigator.clipboard.writeText(text);
    return 'copied';
  } catch {
    return 'failed';
  }
}
