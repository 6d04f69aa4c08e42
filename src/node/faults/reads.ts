import { type SharedStore, StoreError } from '../../ports/shared-store.js';
import type { Disturber } from './disturbance.js';
import type { Faults } from './fault-file.js';

/** Wraps a shared store so that faults apply to reads, not to writes. */
export function disturbReads(store: SharedStore, faults: Pick<Faults, 'ofReads'>, disturb: Disturber): SharedStore {
  const { pass, during } = disturb((sentence) => new StoreError('unreachable', sentence));
  const find = () => faults.ofReads();
  return {
    ...store,
    async get(reference, options) {
      await pass(find, options.signal);
      return during(find, options.signal, (signal) => store.get(reference, { ...options, signal }));
    },
    async *getStream(reference, options) {
      await pass(find, options.signal);
      for await (const bytes of store.getStream(reference, options)) {
        yield bytes;
        await pass(find, options.signal);
      }
    },
  };
}
