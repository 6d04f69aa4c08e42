import { readPage } from '../client/page.js';
import { nearestHint } from '../wire/query.js';
import { CliError } from './exit.js';
import type { Client } from '../client/client.js';
import type { Target } from './target.js';
import { safe } from './text.js';

/** Whose key is whose, as a node knows it. */
export interface Owners {
  /** The organisation or custom identity of a key, safe to show; undefined for one that nobody has registered. */
  nameOf(key: string): string | undefined;
  /** The keys of a party, organisation, identity or DID; none for a name that nobody has. */
  keysOf(name: string): readonly string[];
  /** Everybody's name, each once. */
  names(): readonly string[];
}

/** More members than any network of ours has; of others the addresses are shown. */
const maxNames = '1000';

/** Reads the keys and names of a network at one of its nodes. @throws ClientError, UnreachableError */
export async function readOwners(client: Client): Promise<Owners> {
  const limit = [['limit', maxNames]] as const;
  const [verifiers, identities] = await Promise.all([
    readPage(client, 'listVerifiers', limit),
    readPage(client, 'listIdentities', limit),
  ]);
  const byId = new Map(identities.entries.map(({ value }) => [value.id, value]));
  const owners = verifiers.entries.flatMap(({ value: { identity: id, value: key } }) => {
    const identity = byId.get(id);
    return identity === undefined || identity.type === 'node' ? [] : [{ key, name: identity.name, did: identity.did }];
  });
  const names = new Map(owners.map(({ key, name }) => [key, safe(name)]));
  return {
    nameOf: (key) => names.get(key),
    keysOf: (name) => owners.filter((owner) => owner.name === name || owner.did === name).map(({ key }) => key),
    names: () => [...new Set(owners.map(({ name }) => name))],
  };
}

const address = /^0x[0-9a-f]{40}$/i;

/** Whether a word is an address of the chain. */
export function isAddress(word: string): boolean {
  return address.test(word);
}

/** `alice`, or `0x7e5f4552…` for a key that nobody has registered; whole where it is not for a terminal. */
export function ownerText(key: string, owners: Owners, isTerminal: boolean): string {
  const name = owners.nameOf(key);
  if (name !== undefined) return name;
  return isTerminal ? shortAddress(key) : safe(key);
}

/** The beginning of an address or of a hash of the chain. */
export function shortAddress(hex: string): string {
  return hex.length > 12 ? `${safe(hex.slice(0, 10))}…` : safe(hex);
}

/** What a node understands of a name: a party of the stack stands for its organisation, all else for itself. */
export function identityWord(target: Target, word: string): string {
  return target.parties.find(({ name }) => name === word)?.organization ?? word;
}

/** The keys that a word stands for: an address, or the name of somebody. @throws CliError NOT_FOUND */
export function keysOfWord(word: string, owners: Owners, target: Target): readonly string[] {
  if (isAddress(word)) return [word.toLowerCase()];
  const keys = owners.keysOf(identityWord(target, word));
  if (keys.length > 0) return keys;
  const near = nearestHint(word, owners.names());
  throw new CliError('NOT_FOUND', `Nobody is called "${word}"${near}`);
}
