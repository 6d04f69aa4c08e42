import { namesIn } from '../../actions/names-in.js';
import type { DraftMessage } from './draft-message.js';

/** The members beside the author, as the node understands them, each once. */
export function recipientsOf({ recipients, others }: DraftMessage): readonly string[] {
  return [...new Set([...recipients, ...namesIn(others)])];
}
