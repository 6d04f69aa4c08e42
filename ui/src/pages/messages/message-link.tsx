import { Link } from '../../components/link.js';

export function MessageLink({ id }: { readonly id: string }) {
  return (
    <Link to={{ page: 'messages', id: undefined, open: id }}>
      <code title={id}>{id.slice(0, 8)}</code>
    </Link>
  );
}
