import { Link } from '../../components/link.js';
import { Text } from '../../components/text/text.js';
import { usePools } from './pools.js';

export function PoolLink({ id }: { readonly id: string }) {
  const pool = usePools().get(id);
  return (
    <Link to={{ page: 'tokens', id: undefined, filters: [], open: id }} title={id}>
      <Text value={pool?.name ?? id.slice(0, 8)} />
    </Link>
  );
}
