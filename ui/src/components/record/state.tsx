import type { MessageState } from '../../../../src/wire/messages/message.js';
import { Icon, type IconName } from '../icon.js';
import styles from './state.module.css';

const looks: Readonly<Record<MessageState, { readonly icon: IconName; readonly tone: string }>> = {
  staged: { icon: 'staged', tone: 'waiting' },
  ready: { icon: 'waiting', tone: 'waiting' },
  confirmed: { icon: 'check', tone: 'confirmed' },
  rejected: { icon: 'cross', tone: 'rejected' },
  cancelled: { icon: 'cancelled', tone: 'rejected' },
};

export function State({ state }: { readonly state: MessageState }) {
  const { icon, tone } = looks[state];
  return <Tone tone={tone} icon={icon} word={state} />;
}

interface ToneProps {
  readonly tone: string;
  readonly icon: IconName;
  readonly word: string;
}

export function Tone({ tone, icon, word }: ToneProps) {
  return (
    <span className={styles.state} data-tone={tone}>
      <Icon name={icon} />
      {word}
    </span>
  );
}
