import type { DraftMessage } from './draft-message.js';

/** Names between commas. */
export function namesIn(text: string): readonly string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** The members beside the author, as the node understands them, each once. */
export function recipientsOf({ recipients, others }: DraftMessage): readonly string[] {
  return [...new Set([...recipients, ...namesIn(others)])];
}
