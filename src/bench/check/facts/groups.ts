import { createHash } from 'node:crypto';
import { sha256 } from './facts.js';
import { itemsOf, rawMembersOf, textMember } from '../raw-json.js';

/** A group as a node serves it. */
export interface GroupFacts {
  readonly hash: string;
  /** DIDs, in the order of the record. */
  readonly members: readonly string[];
  /** Every mismatch between a hash in the record and its content. */
  readonly damage: readonly string[];
}

/** Reads a group as `GET groups` serves it. @throws Error if the text is not an object */
export function readGroup(text: string): GroupFacts {
  const members = rawMembersOf(text);
  const raw = itemsOf(members.get('members') ?? '[]').map(rawMembersOf);
  const entries = raw.map(
    (member) => `{"identity":${member.get('identity') ?? ''},"node":${member.get('node') ?? ''}}`,
  );
  const hash = textMember(members, 'hash') ?? '';
  const [namespace = '""', name = '""'] = [members.get('namespace'), members.get('name')];
  const expected = sha256(`{"namespace":${namespace},"name":${name},"members":[${entries.join(',')}]}`);
  const keys = raw.map((member) => `${textMember(member, 'identity') ?? ''} ${textMember(member, 'node') ?? ''}`);
  const isSorted = keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') < key);
  return {
    hash,
    members: raw.map((member) => textMember(member, 'identity') ?? ''),
    damage: [
      ...(expected === hash ? [] : [`group ${hash} does not have the hash of its members`]),
      ...(isSorted ? [] : [`the members of group ${hash} are not sorted`]),
    ],
  };
}

/** Computes the masked pin of a private message: the hash of topic, group, the author's DID and nonce. */
export function maskedValue(topic: string, group: string, author: string, nonce: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(nonce));
  return createHash('sha256').update(topic).update(group, 'hex').update(author).update(counter).digest('hex');
}
