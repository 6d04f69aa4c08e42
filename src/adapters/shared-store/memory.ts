import { createHash } from 'node:crypto';
import { type SharedStore, StoreError } from '../../ports/shared-store.js';

/** A shared store in this process, with SHA-256 names. Nodes that are handed the same one share it. */
export function createMemoryStore(): SharedStore {
  const contents = new Map<string, Uint8Array>();
  return {
    async put(bytes) {
      const name = createHash('sha256').update(bytes).digest('hex');
      if (!contents.has(name)) contents.set(name, copyOf(bytes));
      return name;
    },

    async get(reference, { maxBytes, signal }) {
      signal?.throwIfAborted();
      const bytes = contents.get(reference);
      if (bytes === undefined) throw new StoreError('not_found', 'The shared store has no such content.');
      if (bytes.length > maxBytes) throw new StoreError('too_large', `The content has more than ${maxBytes} bytes.`);
      return copyOf(bytes);
    },
  };
}

/** A `Buffer`'s own `slice` would share its memory. */
function copyOf(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}
