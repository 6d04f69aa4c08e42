import { createHash } from 'node:crypto';

const prefix = 'did:parley:';
const otherPrefix = 'did:firefly:';

/** Namespace of the network as a whole: definitions, registry, pins. */
export const systemNamespace = 'svc_system';
/** What names of the system begin with; users may not (S §1.4). */
export const reservedPrefix = 'svc_';
/** Topic and tag of the start-up check, the only message that anybody may write into the system namespace (S §17.1). */
export const smokeName = 'svc_smoke';

/** Topic of the events about identities and what is defined; they belong to no message (S §10.2). */
export const definitionEventTopic = 'svc_definition';
/** Topic of the events that tell of pins (S §10.2). */
export const pinEventTopic = `${reservedPrefix}batch_pin`;

/** The one topic of all definitions of a namespace, so that the first ordered wins (S §8.8). */
export function definitionTopic(namespace: string): string {
  return `${reservedPrefix}ns_${namespace}`;
}

/** The namespace that a definition with these topics is for; undefined when they are none of a definition. */
export function definedNamespace([topic = '', ...others]: readonly string[]): string | undefined {
  const start = definitionTopic('');
  return others.length === 0 && topic.startsWith(start) ? topic.slice(start.length) : undefined;
}

/** DID of an organisation. */
export function organizationDid(name: string): string {
  return `${prefix}org/${name}`;
}

/** DID of a node. */
export function nodeDid(name: string): string {
  return `${prefix}node/${name}`;
}

/** DID of a custom identity. */
export function customDid(name: string): string {
  return `${prefix}${name}`;
}

/** `did:firefly:…` read as the same name; anything else as it is (S §1.4). */
export function canonicalDid(text: string): string {
  return text.startsWith(otherPrefix) ? prefix + text.slice(otherPrefix.length) : text;
}

/**
 * An identity's id: the first 16 bytes of SHA-256(DID) with version 8 and the RFC variant, equal on all nodes (S
 * §17.2).
 */
export function identityId(did: string): string {
  const bytes = createHash('sha256').update(did).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return uuidOf(bytes);
}

function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
