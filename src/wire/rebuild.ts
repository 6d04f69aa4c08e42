import { type Static, Type } from '@sinclair/typebox';

/** The file in a node's data directory that makes its next start take back what the chain does not have any more. */
export const rebuildFile = 'rebuild.json';
/** The file that the node replaces it by when that is done. */
export const rebuiltFile = 'rebuilt.json';

export const RebuildRequest = Type.Object({
  /** The first block to take back; absent: the first that is not on the chain any more. */
  from: Type.Optional(Type.Integer({ minimum: 0 })),
});
export type RebuildRequest = Static<typeof RebuildRequest>;

export const RebuildResult = Type.Object({
  /** The last block whose effects were kept; -1 if none was. */
  keptBlock: Type.Integer(),
  /** The last block that had been read; absent if none had. */
  readBlock: Type.Optional(Type.Integer()),
});
export type RebuildResult = Static<typeof RebuildResult>;
