import { usePlace } from '../../api/explorer.js';
import { pagePlace } from '../../url/place.js';
import { Link } from '../link.js';
import styles from './views.module.css';

export interface View {
  /** Its name in the URL; undefined for the first. */
  readonly id: string | undefined;
  readonly title: string;
}

export function Views({ label, of }: { readonly label: string; readonly of: readonly View[] }) {
  const place = usePlace();
  return (
    <nav className={styles.views} aria-label={label}>
      {of.map(({ id, title }) => (
        <Link key={title} to={pagePlace(place, place.page, { id })} aria-current={place.id === id ? 'page' : undefined}>
          {title}
        </Link>
      ))}
    </nav>
  );
}
