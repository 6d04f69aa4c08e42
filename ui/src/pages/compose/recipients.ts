import { namesIn } from '../../actions/names-in.js';
import type { DraftMessage } from './draft-message.js';

/** The recipients, by name, DID or key, without duplicates. */
export function recipientsOf({ recipients, others }: DraftMessage): readonly string[] {
  return [...new Set([...recipients, ...namesIn(others)])];
}
