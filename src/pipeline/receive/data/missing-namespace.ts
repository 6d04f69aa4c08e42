import type { Reader } from '../../../ports/database.js';
import { every } from '../../../ports/tables/where.js';
import type { Registry } from '../../state/identities/registry.js';

export interface NamespaceParts {
  readonly registry: Registry;
  /** The namespaces of this node. */
  readonly namespaces: readonly string[];
}

/**
 * The namespace of a private batch that is void here because this node does not have it; undefined before the verdict,
 * and for any other batch. This node will never need the batch's files.
 */
export async function missingNamespace(
  reader: Reader,
  { registry, namespaces }: NamespaceParts,
  { peer, source: hash }: { readonly peer: string; readonly source: string },
): Promise<string | undefined> {
  const candidate = await reader.first('candidates', { hash, peer });
  if (candidate === undefined || namespaces.includes(candidate.groupNamespace)) return undefined;
  let isVoid = false;
  for (const batch of await reader.rows('batches', { namespace: every, hash, type: 'private' }, { limit: maxSame })) {
    if ((await registry.nodeIdOf(reader, batch.author)) !== peer) continue;
    if (batch.state !== 'void') return undefined;
    isVoid = true;
  }
  return isVoid ? candidate.groupNamespace : undefined;
}

/** Anyone may pin the same hash under other ids. */
const maxSame = 100_000;
