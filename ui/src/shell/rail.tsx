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
  return (
    <>
      {isOpen && (
        <button type="button" className={styles.veil} aria-label="Close the list of pages" onClick={onClose} />
      )}
      <nav className={styles.rail} data-open={isOpen} aria-label="Pages">
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
