import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Client } from '../../../src/client/client.js';
import { ClientError } from '../../../src/client/errors.js';
import { useConnection, useExplorer } from './explorer.js';
import { isTimedOut } from './limited-transport.js';

/** How often lists are asked for while no event says when it is worth it. */
const pollMs = 5_000;

interface ReadOptions<Value> {
  readonly isEnabled?: boolean;
  readonly keepsPrevious?: boolean;
  /** How often to ask again for what no event tells; undefined for an answer that is final. */
  readonly pollMs?: (answer: Value | undefined) => number | undefined;
}

/**
 * Reads something of the node and keeps it current: an event that touches `subject` makes it read again. `key` says
 * which of the subject, by everything that the answer depends on.
 */
export function useRead<Value>(
  subject: string,
  key: readonly unknown[],
  read: (client: Client, signal: AbortSignal) => Promise<Value>,
  options: ReadOptions<Value> = {},
): UseQueryResult<Value> {
  const { client } = useExplorer();
  const { connection } = useConnection();
  return useQuery({
    queryKey: [client.namespace, subject, ...key],
    queryFn: ({ signal }) => read(client, signal),
    enabled: options.isEnabled ?? true,
    ...(options.keepsPrevious === true ? { placeholderData: keepPreviousData } : {}),
    refetchInterval: ({ state }) => options.pollMs?.(state.data) ?? (connection === 'live' ? false : pollMs),
    staleTime: Infinity,
    retry: (count, error) => count < 1 && isTransient(error),
    retryDelay: 500,
  });
}

/** Whether another attempt may succeed soon. */
function isTransient(error: unknown): boolean {
  return !(error instanceof ClientError && error.status < 500) && !isTimedOut(error);
}
