/**
 * Whether an `If-None-Match` header names the entity tag of the current content, or any: the client then has the
 * content, and gets 304 (RFC 9110, 13.1.2).
 */
export function matchesEtag(header: string, etag: string): boolean {
  return header.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
}
