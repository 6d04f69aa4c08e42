import { usePlace } from '../../api/explorer.js';
import { Link } from '../../components/link.js';

interface Props {
  readonly id: string;
  /** Default: the selected namespace. */
  readonly namespace?: string;
}

export function OperationLink({ id, namespace }: Props) {
  const { ns } = usePlace();
  return (
    <Link to={{ ns: namespace ?? ns, page: 'contracts', id: 'operations', filters: [], open: id }}>
      <code title={id}>{id.slice(0, 8)}</code>
    </Link>
  );
}
