import { check } from '../../wire/check.js';
import { AnyEnvelope, BatchEnvelope, envelopeVersion, MessageEnvelope } from '../../wire/messages/envelope.js';
import { ServiceError } from '../../wire/errors/error.js';
import type { EnvelopeGroup } from '../../wire/messages/group.js';
import { read } from '../../wire/json/json-reader.js';
import { hashOfGroup, normalMembers } from '../group.js';
import { sha256 } from '../hash.js';
import { maxEnvelopeBytes, networkLimits } from '../network/limits.js';
import { type ExaminedPayload, examinePayload } from './verify.js';

/** An opened envelope, with the computed hash of its group; or the reason why it is refused. */
export type Opened =
  | OpenedBatch
  | { readonly kind: 'message'; readonly group: OpenedGroup; readonly envelope: MessageEnvelope }
  | { readonly kind: 'later'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string };

/** A private batch from a peer: its payload byte for byte, the hash of the payload, and its parsed content. */
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
 * Parses an envelope from a peer (docs/protocol.md §11.2). Size, depth and grammar are checked before any value is
 * built (docs/architecture.md §12.3). One schema with the members of both kinds is used, so it is parsed only once. An
 * envelope of a later version is left for a later program. It never throws: envelopes are remote input.
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

/** Members of the other kind of envelope are refused like unknown ones. */
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

/**
 * Checks that a group is in normal form, sorted and without duplicates, and computes its hash; a hash that came with it
 * is never trusted (docs/protocol.md §6).
 */
function openGroup({ namespace, name, members }: EnvelopeGroup): OpenedGroup | undefined {
  if (members.length === 0 || members.length > networkLimits.maxGroupMembers) return undefined;
  const normal = normalMembers(members);
  return { namespace, name, members: normal, hash: hashOfGroup(namespace, name, normal) };
}

const noGroup = { kind: 'refused', reason: 'the group has no members, or too many' } as const;

function refused(reason: string): Opened {
  return { kind: 'refused', reason };
}
