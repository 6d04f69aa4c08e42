/** A non-fungible token as the URL names it. */
export interface Single {
  readonly pool: string;
  readonly index: string;
}

export function formatSingle({ pool, index }: Single): string {
  return `${pool}.${index}`;
}

export function parseSingle(text: string): Single {
  const at = text.indexOf('.');
  return at < 0 ? { pool: text, index: '' } : { pool: text.slice(0, at), index: text.slice(at + 1) };
}
