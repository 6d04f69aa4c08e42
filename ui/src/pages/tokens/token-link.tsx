import { Link } from '../../components/link.js';
import { formatTokenId, type TokenId } from './token-id.js';

/** A link to a non-fungible token, with its index. */
export function TokenLink(token: TokenId) {
  return (
    <Link to={{ page: 'tokens', id: 'nonfungible', filters: [], open: formatTokenId(token) }}>#{token.index}</Link>
  );
}
