/** The id of a non-fungible token in a URL. */
export interface TokenId {
  readonly pool: string;
  readonly index: string;
}

export function formatTokenId({ pool, index }: TokenId): string {
  return `${pool}.${index}`;
}

export function parseTokenId(text: string): TokenId {
  const at = text.indexOf('.');
  return at < 0 ? { pool: text, index: '' } : { pool: text.slice(0, at), index: text.slice(at + 1) };
}

const maxIndexCharacters = 12;

/** Shortens an index in the middle, so that both ends can be compared. */
export function shortIndexText(index: string): string {
  return index.length <= maxIndexCharacters ? index : `${index.slice(0, 6)}…${index.slice(-5)}`;
}
