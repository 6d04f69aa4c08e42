import type { MessageType } from '../../../../src/wire/messages/message.js';
import { kindOf } from './kinds.js';
import styles from './message-kind.module.css';

export function MessageKind({ type }: { readonly type: MessageType }) {
  return (
    <span className={styles.kind} data-kind={kindOf(type)}>
      {type}
    </span>
  );
}
