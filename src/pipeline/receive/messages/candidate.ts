import type { ProfileRules } from '../../../domain/network/profile.js';
import { systemNamespace } from '../../../domain/network/identity.js';
import { maxCandidateBytes, maxCandidates, networkLimits } from '../../../domain/network/limits.js';
import type { ExaminedPayload } from '../../../domain/messages/verify.js';
import type { Clock } from '../../../ports/clock.js';
import type { Unit } from '../../../ports/database.js';
import type { CandidateRow } from '../../../ports/tables/messaging-tables.js';
import type { Random } from '../../../ports/random.js';
import type { PinLog } from '../../../ports/blockchain.js';
import type { BatchRow, NewRow } from '../../../ports/tables/tables.js';
import { every, not } from '../../../ports/tables/where.js';
import type { EnvelopeGroup } from '../../../wire/messages/group.js';
import type { Registry } from '../../state/identities/registry.js';
import type { Bell } from '../../bus.js';
import { findBatches } from '../../state/messages/exact.js';
import { hashOfGroup } from '../../../domain/group.js';
import { receiveBatch } from './batch.js';
import { claimBlobs } from '../../blobs/claims.js';
import type { Examined } from './examined.js';
import { type JudgeParts, judgeBatch } from './judge.js';

export interface CandidateParts extends JudgeParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly profileRules: ProfileRules;
}

export interface PrivateBatch {
  readonly hash: string;
  readonly examined: ExaminedPayload;
  readonly group: EnvelopeGroup;
  readonly peer: string;
}

/** The result for a batch that is no longer wanted. */
export interface JudgedPrivate {
  readonly isVoid: boolean;
  readonly bells: readonly Bell[];
}

/**
 * Judges a wanted private batch and marks it as held or void. Returns undefined for a payload version unknown to this
 * program; the batch then stays wanted.
 */
export async function judgePrivate(
  unit: Unit,
  batch: BatchRow,
  { examined, group, peer }: Omit<PrivateBatch, 'hash'>,
  parts: CandidateParts,
): Promise<JudgedPrivate | undefined> {
  const { namespace, name, members } = group;
  const verified = { namespace, members, hash: hashOfGroup(namespace, name, members) };
  const verdict = await judgeBatch(unit, parts, batch, { examined, group: verified });
  if (verdict.status === 'unknown_version') return undefined;
  const { clock, random, profileRules } = parts;
  const bells = await receiveBatch(unit, {
    batch,
    verdict,
    from: { group, peer },
    now: clock.now(),
    random,
    profileRules,
  });
  return { isVoid: verdict.status === 'void', bells };
}

/** A private batch with its text. */
export type BroughtBatch = PrivateBatch & { readonly text: string };

/**
 * Stores a private batch, invisible, until its pin arrives (docs/protocol.md §8.2). Returns false if the peer has used
 * up its room for candidates and must keep the batch (docs/architecture.md §12.2); void candidates are dropped to
 * make room.
 */
export async function keepCandidate(
  unit: Unit,
  brought: BroughtBatch,
  { clock, registry }: Pick<CandidateParts, 'clock'> & { readonly registry: Pick<Registry, 'nodeIdOf'> },
): Promise<boolean> {
  const { hash, examined, peer } = brought;
  const created = clock.now();
  if (!(await storeCandidate(unit, brought, created))) {
    await dropVoid(unit, peer, registry);
    if (!(await storeCandidate(unit, brought, created))) return false;
  }
  const payload = examined.status === 'read' ? examined.payload : undefined;
  const blobs = payload?.data.flatMap(({ blob }) => blob ?? []) ?? [];
  await claimBlobs(unit, { peer, source: hash, blobs });
  return true;
}

/**
 * Stores a batch, without its files, in its peer's room. A void one is stored too: nobody sends it again, and after a
 * reorganisation it may be pinned in other blocks, where others judge it again.
 */
export async function storeCandidate(
  unit: Unit,
  { hash, text, examined, group, peer }: BroughtBatch,
  created: string,
): Promise<boolean> {
  const sizeBytes = Buffer.byteLength(text);
  if (!(await hasRoom(unit, peer, sizeBytes))) return false;
  const payload = examined.status === 'read' ? examined.payload : undefined;
  const row: NewRow<'candidates'> = {
    namespace: systemNamespace,
    hash,
    peer,
    batch: payload?.id ?? '',
    group: hashOfGroup(group.namespace, group.name, group.members),
    groupName: group.name,
    groupNamespace: group.namespace,
    members: group.members,
    sizeBytes,
    created,
  };
  await unit.put('candidates', [row]);
  await unit.put('payloads', [{ namespace: systemNamespace, hash, text }]);
  return true;
}

/** Below this count the candidates fit at any size, so their sizes need not be summed. */
const maxUncounted = Math.floor(maxCandidateBytes / networkLimits.maxPayloadBytes);

async function hasRoom(unit: Unit, peer: string, sizeBytes: number): Promise<boolean> {
  const count = await unit.count('candidates', { peer });
  if (count < maxUncounted) return true;
  if (count >= maxCandidates) return false;
  const sizes = await unit.values('candidates', 'sizeBytes', { peer }, { limit: maxCandidates });
  return sizes.reduce((sum, each) => sum + each, sizeBytes) <= maxCandidateBytes;
}

/** Judges candidates whose pins are in these logs, in the unit of the pins. */
export async function takeCandidates(
  unit: Unit,
  logs: readonly PinLog[],
  parts: CandidateParts & { readonly examined: Examined },
): Promise<readonly Bell[]> {
  const names = logs
    .filter(({ payloadRef }) => payloadRef === '')
    .map(({ batchId: id, batchHash: hash, signer }) => ({ id, hash, signer }));
  const candidates = await findCandidates(unit, [...new Set(names.map(({ hash }) => hash))]);
  if (candidates.length === 0) return [];
  const hashes = new Set(candidates.map(({ hash }) => hash));
  const batches = await findBatches(
    unit,
    names.filter(({ hash }) => hashes.has(hash)),
  );
  const bells = new Set<Bell>();
  for (const candidate of candidates) {
    const same = batches.filter(({ state, hash }) => state === 'wanted' && hash === candidate.hash);
    for (const bell of await takeCandidate(unit, candidate, same, parts)) bells.add(bell);
  }
  return [...bells];
}

/** Judges one candidate for all pinned ids with its hash: at most one of them can be valid. */
async function takeCandidate(
  unit: Unit,
  candidate: CandidateRow,
  batches: readonly BatchRow[],
  parts: CandidateParts & { readonly examined: Examined },
): Promise<readonly Bell[]> {
  const bells = new Set<Bell>();
  let isTaken = false;
  const { peer, groupName: name, groupNamespace: namespace, members } = candidate;
  const group = { namespace, name, members: [...members] };
  for (const batch of batches) {
    if ((await parts.registry.nodeIdOf(unit, batch.author)) !== peer) continue;
    const judged = await judgePrivate(unit, batch, { examined: parts.examined.of(candidate.hash), group, peer }, parts);
    isTaken ||= judged?.isVoid === false;
    for (const bell of judged?.bells ?? []) bells.add(bell);
  }
  if (isTaken) await dropCandidate(unit, candidate);
  return [...bells];
}

async function findCandidates(unit: Unit, hashes: readonly string[]): Promise<readonly CandidateRow[]> {
  if (hashes.length === 0) return [];
  return unit.rows('candidates', { hash: hashes }, { limit: maxPeers * hashes.length });
}

/** More members than send the same bytes. */
const maxPeers = 256;

/**
 * Makes room by giving up what is kept for a reorganisation alone: batches of a peer that are void, and no other; some
 * of them, if there are very many.
 */
async function dropVoid(unit: Unit, peer: string, registry: Pick<Registry, 'nodeIdOf'>): Promise<void> {
  const hashes = await unit.values('candidates', 'hash', { peer }, { limit: maxCandidates });
  const pinned = { namespace: every, type: 'private' } as const;
  const voids = await unit.rows('batches', { ...pinned, hash: hashes, state: 'void' }, { limit: maxSame });
  const isOfPeer = async ({ author }: BatchRow): Promise<boolean> => (await registry.nodeIdOf(unit, author)) === peer;
  const seen = new Set<string>();
  for (const batch of voids) {
    const { hash } = batch;
    if (seen.has(hash) || !(await isOfPeer(batch))) continue;
    seen.add(hash);
    const others = await unit.rows('batches', { ...pinned, hash, state: not('void') }, { limit: maxSame });
    if (others.length === maxSame || (await Promise.all(others.map(isOfPeer))).includes(true)) continue;
    const candidate = await unit.first('candidates', { hash, peer });
    if (candidate !== undefined) await dropCandidate(unit, candidate);
  }
}

/** Batches read at a time. Anyone may pin the same hash under many other ids. */
const maxSame = 100;

/** Removes a candidate, and its payload if no other candidate shares it. */
async function dropCandidate(unit: Unit, { sequence, hash }: CandidateRow): Promise<void> {
  await unit.remove('candidates', { sequence });
  if (!(await unit.has('candidates', { hash }))) await unit.remove('payloads', { hash });
}
