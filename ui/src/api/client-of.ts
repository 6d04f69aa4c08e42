import { useMemo } from 'react';
import { type Client, createClient } from '../../../src/client/client.js';
import { useExplorer } from './explorer.js';
import { limitedTransport } from './limited-transport.js';

/** The namespace whose messages carry definitions. */
export const systemNamespace = 'svc_system';

/** Returns a client for a namespace, which may differ from the selected one. */
export function useClientOf(namespace: string): Client {
  const { client } = useExplorer();
  const { url } = client;
  return useMemo(() => createClient({ url, namespace, transport: limitedTransport }), [url, namespace]);
}
