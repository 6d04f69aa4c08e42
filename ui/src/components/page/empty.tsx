import type { ReactNode } from 'react';
import { CopyButton } from '../record/copy.js';
import styles from './empty.module.css';

interface Props {
  /** A sentence about the rows that would be here. */
  readonly sentence: string;
  /** The command that would make it. */
  readonly command?: string;
  readonly children?: ReactNode;
}

/** The place of a list that has nothing. */
export function Empty({ sentence, command, children }: Props) {
  return (
    <div className={styles.empty}>
      <p>{sentence}</p>
      {command !== undefined && <Command text={command} />}
      {children}
    </div>
  );
}

/** A command line to copy. */
export function Command({ text }: { readonly text: string }) {
  return (
    <div className={styles.command}>
      <code>{text}</code>
      <CopyButton text={text} what="the command" />
    </div>
  );
}
