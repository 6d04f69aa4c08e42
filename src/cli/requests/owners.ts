import { didSpellings } from '../../wire/lists/field.js';
import { readPage } from '../../client/page.js';
import { nearestHint } from '../../wire/lists/query.js';
import { CliError } from '../errors/exit.js';
import type { Client } from '../../client/client.js';
import type { PartyNode, Target } from './target.js';
import { safe } from '../terminal/text.js';

/** The owners of keys, as a node knows them. */
export interface Owners {
  /** The organisation or custom identity of a key, escaped; undefined for an unregistered key. */
  nameOf(key: string): string | undefined;
  /** The keys of a party, organisation, identity or DID; empty for an unknown name. */
  keysOf(name: string): readonly string[];
  /** All names, without duplicates. */
  names(): readonly string[];
}

/** Maximum number of keys and names that are read. Other keys are shown as addresses. */
const maxNames = '1000';

/** Reads the keys and names of a network from one of its nodes. @throws ClientError, UnreachableError */
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
    keysOf: (name) =>
      owners.filter((owner) => owner.name === name || plainDid(owner.did) === plainDid(name)).map(({ key }) => key),
    names: () => [...new Set(owners.map(({ name }) => name))],
  };
}

/** Normalises the spelling of a DID; any other text is returned unchanged. */
export function plainDid(did: string): string {
  return didSpellings(did)[0]?.did ?? did;
}

/** The party whose organisation a DID names, in either spelling; undefined for other members. */
export function partyOfDid(parties: readonly PartyNode[], did: string): PartyNode | undefined {
  const plain = plainDid(did);
  return parties.find(({ organization }) => organization !== undefined && plain === `did:parley:org/${organization}`);
}

const address = /^0x[0-9a-f]{40}$/i;

export function isAddress(word: string): boolean {
  return address.test(word);
}

/** `alice`, or for an unregistered key its address, shortened on a terminal. */
export function ownerText(key: string, owners: Owners, isTerminal: boolean): string {
  const name = owners.nameOf(key);
  if (name !== undefined) return name;
  return isTerminal ? shortAddress(key) : safe(key);
}

/** Shortens an address or hash of the chain. */
export function shortAddress(hex: string): string {
  return hex.length > 12 ? `${safe(hex.slice(0, 10))}…` : safe(hex);
}

/** Converts a name for the node: a party's name becomes that of its organisation; others are unchanged. */
export function identityWord(target: Target, word: string): string {
  return target.parties.find(({ name }) => name === word)?.organization ?? word;
}

/** The keys of an address or a name. @throws CliError NOT_FOUND */
export function keysOfWord(word: string, owners: Owners, target: Target): readonly string[] {
  if (isAddress(word)) return [word.toLowerCase()];
  const keys = owners.keysOf(identityWord(target, word));
  if (keys.length > 0) return keys;
  throw unknownOwner(word, owners.names());
}

/** The failure for an unknown owner, with the most similar name. */
export function unknownOwner(
  word: string,
  names: readonly string[],
  details?: Readonly<Record<string, unknown>>,
): CliError {
  const near = nearestHint(word, names);
  return new CliError('NOT_FOUND', `No party, organisation or key named "${word}"${near}`, { details });
}

/**
 * Resolves `--key`: an address is returned unchanged, a name becomes its key.
 *
 * @throws CliError NOT_FOUND; ClientError
 */
export async function signingKey(word: string | undefined, target: Target): Promise<string | undefined> {
  if (word === undefined || word.startsWith('0x')) return word;
  return keysOfWord(word, await readOwners(target.party.client), target)[0];
}
