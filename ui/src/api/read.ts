import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Client } from '../../../src/client/client.js';
import { ClientError } from '../../../src/client/errors.js';
import { useConnection, useExplorer } from './explorer.js';
import { isTimedOut } from './limited-transport.js';

/** The polling interval while there is no connection for events. */
const pollMs = 5_000;

interface ReadOptions<Value> {
  readonly isEnabled?: boolean;
  readonly keepsPrevious?: boolean;
  /** The polling interval for changes that have no event; undefined for an answer that is final. */
  readonly pollMs?: (answer: Value | undefined) => number | undefined;
}

/**
 * Reads from the node and keeps the answer current: an event that touches `subject` triggers a new read. `key` lists
 * everything else that the answer depends on.
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
