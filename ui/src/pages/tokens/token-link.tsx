import { Link } from '../../components/link.js';
import { formatTokenId, shortIndexText, type TokenId } from './token-id.js';

/** A link to a non-fungible token, with its index. */
export function TokenLink(token: TokenId) {
  return (
    <Link to={{ page: 'tokens', id: 'nonfungible', filters: [], open: formatTokenId(token) }}>#{token.index}</Link>
  );
}

/** The index of a token in a list. A large one is shortened in the middle, with all digits as tooltip. */
export function ShortTokenIndex({ index }: Pick<TokenId, 'index'>) {
  return <span title={`token ${index}`}>#{shortIndexText(index)}</span>;
}
