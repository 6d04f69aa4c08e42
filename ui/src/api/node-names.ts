import { readPage } from '../../../src/client/page.js';
import { useRead } from './read.js';

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Returns a function that replaces ids of nodes in a text by their names. */
export function useNodeNames(): (text: string) => string {
  const nodes = useRead('identities', ['nodes'], (client, signal) =>
    readPage(client, 'listNodes', [['limit', '200']], signal),
  );
  const names = new Map(nodes.data?.entries.map(({ value }) => [value.id, value.name]));
  return (text) => text.replaceAll(uuid, (id) => names.get(id) ?? id);
}
