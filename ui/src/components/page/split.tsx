import { type ReactNode, useEffect, useRef } from 'react';
import { useExplorer, usePlace } from '../../api/explorer.js';
import { Icon } from '../icon.js';
import { Link } from '../link.js';
import { SectionLevel } from './section-level.js';
import styles from './split.module.css';

interface Props {
  /** The list. */
  readonly children: ReactNode;
  /** The open record, if any. */
  readonly panel: ReactNode | undefined;
  readonly panelTitle: string;
  /** The part of the page, if it has several. */
  readonly view?: string;
}

/** A list with a side panel for a record. On a narrow screen the panel covers the list. */
export function Split({ children, panel, panelTitle, view }: Props) {
  const { places } = useExplorer();
  const { open } = usePlace();
  const aside = useRef<HTMLElement>(null);
  const before = useRef(open);
  useEffect(() => {
    if (open === before.current) return;
    before.current = open;
    if (isFocusLost()) aside.current?.focus();
  }, [open]);
  return (
    <div className={styles.split} data-open={panel !== undefined}>
      <div className={styles.list}>{children}</div>
      {panel !== undefined && (
        <aside ref={aside} className={styles.panel} aria-label={panelTitle} data-beside="true" tabIndex={-1}>
          <header className={styles.header}>
            <h2>{panelTitle}</h2>
            <Link
              to={{ id: view === undefined ? open : `${view}/${open}`, open: undefined, tab: undefined }}
              className="button plain"
              aria-label="Open full page"
              title="Open full page"
            >
              <Icon name="expand" />
            </Link>
            <button
              type="button"
              className="button plain"
              aria-label="Close"
              title="Close (Esc)"
              onClick={() => places.go({ open: undefined, tab: undefined })}
            >
              <Icon name="close" />
            </button>
          </header>
          <div className={styles.inside}>
            <SectionLevel value={3}>{panel}</SectionLevel>
          </div>
        </aside>
      )}
    </div>
  );
}

/** Whether the focused element is gone with the former record, or hidden since a record covers the list. */
function isFocusLost(): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body || !activeElement.checkVisibility(checked);
}

const checked = { visibilityProperty: true };
