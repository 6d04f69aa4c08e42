import { type RefObject, useLayoutEffect, useRef } from 'react';
import { usePlace } from '../api/explorer.js';
import { Icon } from '../components/icon.js';
import { Link } from '../components/link.js';
import { pages } from '../pages.js';
import { pagePlace } from '../url/place.js';
import styles from './shell.module.css';

interface Props {
  /** Whether it is open on a narrow screen, where it is a drawer. */
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function Rail({ isOpen, onClose }: Props) {
  const place = usePlace();
  const nav = useRef<HTMLElement>(null);
  useDrawerFocus(nav, isOpen);
  return (
    <>
      {isOpen && (
        <button type="button" className={styles.veil} aria-label="Close the list of pages" onClick={onClose} />
      )}
      <nav
        ref={nav}
        className={styles.rail}
        data-open={isOpen}
        aria-label="Pages"
        onBlur={({ currentTarget, relatedTarget }) => {
          if (isOpen && relatedTarget !== null && !currentTarget.contains(relatedTarget)) onClose();
        }}
        onKeyDown={(event) => {
          if (!isOpen || event.key !== 'Escape') return;
          // An open record stays open.
          event.preventDefault();
          onClose();
        }}
      >
        <div className={styles.brand}>
          <Icon name="mark" />
          <span>Parley</span>
        </div>
        <ul>
          {pages.map(({ name, title, icon }) => (
            <li key={name}>
              <Link
                to={pagePlace(place, name)}
                className={styles.railLink}
                aria-current={place.page === name ? 'page' : undefined}
                title={title}
              >
                <Icon name={icon} />
                <span>{title}</span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </>
  );
}

/** Moves the focus into an open drawer, and back to where it came from. */
function useDrawerFocus(nav: RefObject<HTMLElement | null>, isOpen: boolean): void {
  const opener = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (isOpen) {
      opener.current = document.activeElement;
      nav.current?.querySelector<HTMLElement>('[aria-current="page"]')?.focus();
    } else if (nav.current?.contains(document.activeElement) === true && opener.current instanceof HTMLElement)
      opener.current.focus();
  }, [nav, isOpen]);
}
