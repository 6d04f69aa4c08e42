import { Link } from '../../components/link.js';

/** An operation by its id. */
export function OperationLink({ id }: { readonly id: string }) {
  return (
    <Link to={{ page: 'contracts', id: 'operations', filters: [], open: id }}>
      <code title={id}>{id.slice(0, 8)}</code>
    </Link>
  );
}
