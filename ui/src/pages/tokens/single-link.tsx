import { Link } from '../../components/link.js';
import { formatSingle, type Single } from './single.js';

/** A non-fungible token by its index. */
export function SingleLink(single: Single) {
  return (
    <Link to={{ page: 'tokens', id: 'nonfungible', filters: [], open: formatSingle(single) }}>#{single.index}</Link>
  );
}
