import type { ReactNode } from 'react';
import { CopyButton } from '../record/copy.js';
import { Text } from '../text/text.js';
import styles from './empty.module.css';

interface Props {
  readonly sentence: string;
  /** A command that creates such a record. */
  readonly command?: string;
  readonly children?: ReactNode;
}

export function Empty({ sentence, command, children }: Props) {
  return (
    <div className={styles.empty}>
      <p>{sentence}</p>
      {command !== undefined && <Command text={command} />}
      {children}
    </div>
  );
}

export function Command({ text }: { readonly text: string }) {
  return (
    <div className={styles.command}>
      <code>
        <Text value={text} />
      </code>
      <CopyButton text={text} what="the command" />
    </div>
  );
}
