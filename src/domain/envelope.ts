import { check } from '../wire/check.js';
import { AnyEnvelope, BatchEnvelope, envelopeVersion, MessageEnvelope } from '../wire/envelope.js';
import { ServiceError } from '../wire/error.js';
import type { EnvelopeGroup } from '../wire/group.js';
import { read } from '../wire/json-reader.js';
import { hashOfGroup, normalMembers } from './group.js';
import { sha256 } from './hash.js';
import { maxEnvelopeBytes, networkLimits } from './limits.js';
import { type ExaminedPayload, examinePayload } from './verify.js';

/** An envelope that was read, with the hash that its group really has; or why it is not taken. */
export type Opened =
  | OpenedBatch
  | { readonly kind: 'message'; readonly group: OpenedGroup; readonly envelope: MessageEnvelope }
  | { readonly kind: 'later'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string };

/** A private batch as a peer brings it: its payload byte for byte, the hash of that, and what was read of it. */
export interface OpenedBatch {
  readonly kind: 'batch';
  readonly group: OpenedGroup;
  readonly payload: string;
  readonly hash: string;
  readonly examined: ExaminedPayload;
}

export interface OpenedGroup extends EnvelopeGroup {
  readonly hash: string;
}

/**
 * Reads what a peer has sent (S §9.2): size, depth and grammar are checked before anything is built (assurance S14).
 * It is read once, along a schema that knows the members of both kinds, since every value stands where its schema has
 * it and no limit is counted from elsewhere. One of a later version is left for a later program. It never throws: an
 * envelope is remote input.
 */
export function openEnvelope(text: string): Opened {
  if (Buffer.byteLength(text) > maxEnvelopeBytes) return refused('the envelope is too large');
  try {
    const { value, unknown } = read(text, AnyEnvelope);
    if (isLater(value)) return { kind: 'later', reason: 'the version of the envelope is newer than this program' };
    const [stranger] = unknown;
    if (stranger !== undefined) return refused(`unknown field ${stranger}`);
    return hasMember(value, 'payload') ? openBatch(value) : openMessage(value);
  } catch (error) {
    if (error instanceof ServiceError) return refused(error.text);
    throw error;
  }
}

function openBatch(value: object): Opened {
  const fault = faultOfMembers(value, BatchEnvelope);
  if (fault !== undefined || !check(BatchEnvelope, value)) return refused(fault ?? noEnvelope);
  const group = openGroup(value.group);
  if (group === undefined) return noGroup;
  const { payload } = value;
  return { kind: 'batch', group, payload, hash: sha256(payload), examined: examinePayload(payload) };
}

function openMessage(value: unknown): Opened {
  const fault = faultOfMembers(value, MessageEnvelope);
  if (fault !== undefined || !check(MessageEnvelope, value)) return refused(fault ?? noEnvelope);
  const group = openGroup(value.group);
  return group === undefined ? noGroup : { kind: 'message', group, envelope: value };
}

const noEnvelope = 'a field is missing or of the wrong type';

/** A member of the other kind is as foreign as one that no envelope has. */
function faultOfMembers(value: unknown, { properties }: typeof BatchEnvelope | typeof MessageEnvelope) {
  if (typeof value !== 'object' || value === null) return undefined;
  const stranger = Object.keys(value).find((name) => !Object.hasOwn(properties, name));
  return stranger === undefined ? undefined : `unknown field ${stranger}`;
}

function hasMember(value: unknown, name: string): value is object {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name);
}

function isLater(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('version' in value)) return false;
  return Number.isInteger(value.version) && value.version !== envelopeVersion;
}

/** A group as it is written down: sorted, each member once. Its hash is computed here, never believed (S §6). */
function openGroup({ namespace, name, members }: EnvelopeGroup): OpenedGroup | undefined {
  if (members.length === 0 || members.length > networkLimits.maxGroupMembers) return undefined;
  const normal = normalMembers(members);
  return { namespace, name, members: normal, hash: hashOfGroup(namespace, name, normal) };
}

const noGroup = { kind: 'refused', reason: 'the group has no members, or too many' } as const;

function refused(reason: string): Opened {
  return { kind: 'refused', reason };
}
