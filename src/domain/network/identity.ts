import { createHash } from 'node:crypto';
import { didMethods } from '../../wire/identities/did.js';

export type DidMethod = (typeof didMethods)[number];

const anyMethod = new RegExp(`^did:(?:${didMethods.join('|')}):`);

/** Namespace of the network as a whole: definitions, registry, pins. */
export const systemNamespace = 'svc_system';
/** Prefix of system names; users may not use it (docs/protocol.md §2.2). */
export const reservedPrefix = 'svc_';
/**
 * Topic and tag of the start-up check, the only message that a user may write into the system namespace
 * (docs/protocol.md §5.2).
 */
export const smokeName = 'svc_smoke';

/** Topic of events about identities and definitions that belong to no message (docs/api.md §13.2). */
export const definitionEventTopic = 'svc_definition';
/** Topic of events about batch pins (docs/api.md §13.2). */
export const pinEventTopic = `${reservedPrefix}batch_pin`;

/**
 * The topic of such events in the namespace of the batch, under the profile of FireFly: its applications look for it.
 */
export const fireflyPinTopic = 'ff_batch_pin';

/** The one topic of all definitions of a namespace, so that the first in order wins (docs/protocol.md §9.1). */
export function definitionTopic(namespace: string): string {
  return `${reservedPrefix}ns_${namespace}`;
}

/** The namespace that a definition with these topics is for; undefined if they are not the topics of a definition. */
export function definedNamespace([topic = '', ...others]: readonly string[]): string | undefined {
  const start = definitionTopic('');
  return others.length === 0 && topic.startsWith(start) ? topic.slice(start.length) : undefined;
}

/** DID of an organisation. */
export function organizationDid(name: string, method: DidMethod = 'parley'): string {
  return `did:${method}:org/${name}`;
}

/** DID of a node. */
export function nodeDid(name: string, method: DidMethod = 'parley'): string {
  return `did:${method}:node/${name}`;
}

/** DID of a custom identity. */
export function customDid(name: string, method: DidMethod = 'parley'): string {
  return `did:${method}:${name}`;
}

/** The DID method of a network, derived from any of its DIDs. */
export function methodOf(did: string): DidMethod {
  return didMethods.find((method) => did.startsWith(`did:${method}:`)) ?? 'parley';
}

/** A DID with the method of this network; any other text unchanged (docs/protocol.md §2.2). */
export function canonicalDid(text: string, method: DidMethod = 'parley'): string {
  return text.replace(anyMethod, `did:${method}:`);
}

/** A DID and the same name in the other method (docs/protocol.md §2.2); any other text alone. */
export function spellingsOfDid(did: string): readonly string[] {
  return [...new Set([did, ...didMethods.map((method) => canonicalDid(did, method))])];
}

/**
 * An identity's id: the first 16 bytes of SHA-256(DID) with version 8 and the RFC variant, so it is equal on all nodes
 * (docs/protocol.md §2.2).
 */
export function identityId(did: string): string {
  return derivedId(did);
}

/** An id derived from a text: everybody derives the same one. */
export function derivedId(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return uuidOf(bytes);
}

function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
