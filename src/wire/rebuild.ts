import { type Static, Type } from '@sinclair/typebox';

/** The file in a node's data directory that makes its next start undo everything that the chain no longer has. */
export const rebuildFile = 'rebuild.json';
/** The file that replaces it when the rebuild is complete. */
export const rebuiltFile = 'rebuilt.json';

export const RebuildRequest = Type.Object({
  /** The first block to undo; absent: the first that is no longer on the chain. */
  from: Type.Optional(Type.Integer({ minimum: 0 })),
});
export type RebuildRequest = Static<typeof RebuildRequest>;

export const RebuildResult = Type.Object({
  /** The last block whose effects were kept; -1 if none was. */
  keptBlock: Type.Integer(),
  /** The last block that was read before; absent if there was none. */
  readBlock: Type.Optional(Type.Integer()),
});
export type RebuildResult = Static<typeof RebuildResult>;
