import { createHash } from 'node:crypto';
import { type SharedStore, StoreError } from '../../ports/shared-store.js';

/** Creates a shared store in this process, with SHA-256 names. Nodes that get the same instance share it. */
export function createMemoryStore(): SharedStore {
  const contents = new Map<string, Uint8Array>();

  function put(bytes: Uint8Array): string {
    const name = createHash('sha256').update(bytes).digest('hex');
    if (!contents.has(name)) contents.set(name, copyOf(bytes));
    return name;
  }

  function find(reference: string, maxBytes: number): Uint8Array {
    const bytes = contents.get(reference);
    if (bytes === undefined) throw new StoreError('not_found', 'The shared store has no such content.');
    if (bytes.length > maxBytes) throw new StoreError('too_large', `The content has more than ${maxBytes} bytes.`);
    return bytes;
  }

  return {
    put: async (bytes) => put(bytes),

    async get(reference, { maxBytes, signal }) {
      signal?.throwIfAborted();
      return copyOf(find(reference, maxBytes));
    },

    async putStream(bytes, signal) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of bytes) {
        signal?.throwIfAborted();
        chunks.push(copyOf(chunk));
      }
      signal?.throwIfAborted();
      return put(Buffer.concat(chunks));
    },

    async *getStream(reference, { maxBytes, start, signal }) {
      signal?.throwIfAborted();
      const bytes = find(reference, maxBytes);
      for (let position = start; position < bytes.length; position += chunkBytes) {
        signal?.throwIfAborted();
        yield bytes.slice(position, position + chunkBytes);
      }
    },
  };
}

const chunkBytes = 65_536;

/** A `Buffer`'s own `slice` would share its memory. */
function copyOf(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}
