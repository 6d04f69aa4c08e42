/**
 * A hash of the chain, of a transaction or block, in the form in which it is shown: with `0x`, which rows leave out.
 */
export function chainHash(hash: string): string {
  return /^[0-9a-f]{64}$/.test(hash) ? `0x${hash}` : hash;
}

/** A hash of the chain, or a part of one, in the form of the rows. */
export function storedChainHash(given: string): string {
  return given.toLowerCase().replace(/^0x/, '');
}
