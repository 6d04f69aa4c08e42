import { createMemoryDatabase, createMemoryState } from '../../src/adapters/database/memory/memory.js';
import { createMemoryReader } from '../../src/adapters/database/memory/unit.js';
import { type Reads, typedReads } from '../../src/adapters/database/typed.js';
import type { Database, Reader } from '../../src/ports/database.js';

/** A committed database to look at, table by table. */
export type Disk = Reader & Pick<Reads, 'find'>;

/** The storage of a node's database, which outlives the node's lives. */
export interface Storage {
  /** Opens the database for a life, in the state that the previous life left: no open unit has had an effect. */
  open(): Database;
  readonly disk: Disk;
  /** Releases the files, if there are any. */
  release(): Promise<void>;
}

export function createMemoryStorage(): Storage {
  const state = createMemoryState();
  const reads = createMemoryReader(state.tables);
  return {
    open: () => createMemoryDatabase(state),
    disk: { ...reads, ...typedReads(reads) },
    release: () => Promise.resolve(),
  };
}
