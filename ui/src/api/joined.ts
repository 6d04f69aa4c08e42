import type { Static, TSchema } from '@sinclair/typebox';
import type { UseQueryResult } from '@tanstack/react-query';
import { refusal } from '../../../src/client/client.js';
import { readAlong } from './along.js';
import { useExplorer } from './explorer.js';
import { useRead } from './read.js';

/**
 * Reads what the other parties of the stack have, through this node. Null where there are no joins: of a node alone,
 * with credentials, without a supervisor, or of a record that this node does not have.
 */
export function useJoined<T extends TSchema>(
  schema: T,
  subject: string,
  path: string,
  options: { readonly isEnabled?: boolean; readonly pollMs?: (answer: Static<T>) => number | undefined } = {},
): UseQueryResult<Static<T> | null> {
  const { config } = useExplorer();
  const { isEnabled = true, pollMs } = options;
  // A node without joins never gets any, so that is asked once.
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
      return readAlong(schema, answer.text);
    },
    { isEnabled: isEnabled && config.joins, pollMs: poll },
  );
}
