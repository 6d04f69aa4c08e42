import { type Reference, referenceKey } from './exact.js';

const prefix = 'message:';

/** The key of an unpinned message in the tables of due contexts and of waits. */
export function unpinnedKey(reference: Reference): string {
  return prefix + referenceKey(reference);
}

export function isUnpinnedKey(key: string): boolean {
  return key.startsWith(prefix);
}

export function readUnpinnedKey(key: string): Reference {
  const [id = '', hash = ''] = key.slice(prefix.length).split('/');
  return { id, hash };
}
