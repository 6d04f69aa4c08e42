import { useMemo } from 'react';
import { type Client, createClient } from '../../../src/client/client.js';
import { useExplorer } from './explorer.js';
import { limitedTransport } from './limited-transport.js';

/** The namespace in which definitions are messages. */
export const systemNamespace = 'svc_system';

/** A client of another namespace than the one that is looked at, or of the same. */
export function useClientOf(namespace: string): Client {
  const { client } = useExplorer();
  const { url } = client;
  return useMemo(() => createClient({ url, namespace, transport: limitedTransport }), [url, namespace]);
}
