import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useClickBeside } from './click-beside.js';
import styles from './dialog.module.css';
import { Icon } from '../icon.js';
import { OtherFailures } from './other-failures.js';
import { SectionLevel } from './section-level.js';

interface Props {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Whether it is wide enough for a form. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** A modal dialog. The browser keeps the focus inside and restores it afterwards. */
export function Dialog({ title, isOpen, onClose, isWide = false, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      data-wide={isWide}
      aria-labelledby={id}
      onClose={onClose}
      {...useClickBeside(dialog)}
    >
      <div className={styles.inside}>
        <header className={styles.header}>
          <h2 id={id}>{title}</h2>
          <button type="button" className="button plain" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        {isOpen && <OtherFailures />}
        {isOpen && <SectionLevel value={3}>{children}</SectionLevel>}
      </div>
    </dialog>
  );
}
