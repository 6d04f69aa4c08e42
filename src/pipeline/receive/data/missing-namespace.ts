import type { Reader } from '../../../ports/database.js';
import { every, not } from '../../../ports/tables/where.js';
import { findIdentities } from '../../state/identities/registry.js';

export interface NamespaceParts {
  /** The namespaces of this node. */
  readonly namespaces: readonly string[];
}

/**
 * The namespace of a private batch that is void here because this node does not have it; undefined before the verdict,
 * and for any other batch. This node will never need the batch's files.
 */
export async function missingNamespace(
  reader: Reader,
  { namespaces }: NamespaceParts,
  { peer, source: hash }: { readonly peer: string; readonly source: string },
): Promise<string | undefined> {
  const candidate = await reader.first('candidates', { hash, peer });
  if (candidate === undefined || namespaces.includes(candidate.groupNamespace)) return undefined;
  // Anyone may pin the same hash under very many other ids, so no batches are read.
  const pinned = { namespace: every, hash, type: 'private', author: await findIdentities(reader, peer) } as const;
  if (await reader.has('batches', { ...pinned, state: not('void') })) return undefined;
  return (await reader.has('batches', { ...pinned, state: 'void' })) ? candidate.groupNamespace : undefined;
}
