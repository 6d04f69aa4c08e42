import { Interface } from 'ethers';

/** Reads an ABI when it is first used: that hashes each of its lines, and a node may run for long without tokens. */
export function lazyInterface(abi: readonly string[]): () => Interface {
  let read: Interface | undefined;
  return () => (read ??= new Interface(abi));
}
