import type { Static, TSchema } from '@sinclair/typebox';
import type { UseQueryResult } from '@tanstack/react-query';
import { refusal } from '../../../src/client/client.js';
import { readAs } from './read-as.js';
import { useExplorer } from './explorer.js';
import { useRead } from './read.js';

/**
 * Reads data of all parties of the stack through this node. Null if this node does not offer it (a node without a
 * stack, with credentials, or whose supervisor does not run) or does not have the record.
 */
export function useJoined<T extends TSchema>(
  schema: T,
  subject: string,
  path: string,
  options: { readonly isEnabled?: boolean; readonly pollMs?: (answer: Static<T>) => number | undefined } = {},
): UseQueryResult<Static<T> | null> {
  const { config } = useExplorer();
  const { isEnabled = true, pollMs } = options;
  // Null is final for a node, so it is not polled.
  const poll = (answer: Static<T> | null | undefined) =>
    answer === null || answer === undefined ? undefined : pollMs?.(answer);
  return useRead(
    subject,
    ['joined', path],
    async (client, signal): Promise<Static<T> | null> => {
      const ns = new URLSearchParams({ ns: client.namespace }).toString();
      const separator = path.includes('?') ? '&' : '?';
      const answer = await client.exchange({ method: 'GET', path: `/ui/_stack/${path}${separator}${ns}`, signal });
      if (answer.status === 404) return null;
      if (answer.status !== 200) throw refusal(answer);
      return readAs(schema, answer.text);
    },
    { isEnabled: isEnabled && config.joins, pollMs: poll },
  );
}
