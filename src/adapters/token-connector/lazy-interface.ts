import { Interface } from 'ethers';

/** Parses an ABI on first use: parsing hashes each of its lines, and a node may run for a long time without tokens. */
export function lazyInterface(abi: readonly string[]): () => Interface {
  let read: Interface | undefined;
  return () => (read ??= new Interface(abi));
}
