import { type ReactNode, useId, useRef } from 'react';
import { Icon, type IconName } from '../icon.js';
import styles from './menu.module.css';

export interface MenuItem {
  readonly key: string;
  readonly label: ReactNode;
  readonly isCurrent?: boolean;
  /** The address that it links to; without one, `onChoose` is called. */
  readonly href?: string;
  readonly onChoose?: () => void;
}

interface Props {
  readonly label: ReactNode;
  /** The accessible name of the button. */
  readonly name: string;
  readonly icon: IconName;
  readonly items: readonly MenuItem[];
  readonly isPlain?: boolean;
}

export function Menu({ label, name, icon, items, isPlain = false }: Props) {
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  return (
    <>
      <button
        type="button"
        className={`button ${isPlain ? 'plain' : ''} ${styles.button}`}
        popoverTarget={id}
        aria-label={name}
        title={name}
      >
        <Icon name={icon} />
        <span className={styles.label}>{label}</span>
      </button>
      <div id={id} ref={popover} popover="auto" className={styles.popover}>
        <ul>
          {items.map((item) => (
            <li key={item.key}>
              <Choice item={item} onClose={() => popover.current?.hidePopover()} />
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

function Choice({ item, onClose }: { readonly item: MenuItem; readonly onClose: () => void }) {
  const { label, isCurrent = false, href, onChoose } = item;
  const current = isCurrent ? { 'aria-current': true as const } : {};
  if (href !== undefined)
    return (
      <a className={styles.item} href={href} {...current}>
        {label}
      </a>
    );
  const chosen = () => {
    onClose();
    onChoose?.();
  };
  return (
    <button type="button" className={styles.item} onClick={chosen} {...current}>
      {label}
    </button>
  );
}
