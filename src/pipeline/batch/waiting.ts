import { fillBatch, type FillLimits, maxTopicsFor } from '../../domain/messages/batch.js';
import { assert } from '../../domain/invariant.js';
import { networkLimits } from '../../domain/network/limits.js';
import type { Reader } from '../../ports/database.js';
import type { GroupRow } from '../../ports/tables/messaging-tables.js';
import type { DataRow, MessageRow } from '../../ports/tables/tables.js';
import { type Columns, above, every, present } from '../../ports/tables/where.js';
import { exactItems, referenceKey } from '../state/messages/exact.js';

/** A key and a kind of batch. Each lane has at most one sealed batch that is not pinned yet. */
export interface SealLane {
  readonly key: string;
  readonly kind: 'broadcast' | 'private';
}

/** The messages of a lane for its next batch. */
export interface NextBatch {
  readonly lane: SealLane;
  /** Empty if no message waits, or all are held back. */
  readonly messages: readonly MessageRow[];
  /** Whether messages are left behind. */
  readonly isFull: boolean;
  /** Whether so many messages are held back, and none is free, that to read them again takes long. */
  readonly isStuck: boolean;
}

/** More than a batch can hold, so that it is filled although messages of other groups and namespaces are in between. */
const maxLookAhead = 400;

export function nameOf({ kind, key }: SealLane): string {
  return `${kind}/${key}`;
}

export function kindOf({ group }: MessageRow): SealLane['kind'] {
  return group === null ? 'broadcast' : 'private';
}

/** Returns the next batch of each of these lanes; broadcasts come first. */
export async function fillLanes(
  database: Reader,
  lanes: readonly SealLane[],
  limits: Omit<FillLimits, 'maxTopics'>,
): Promise<NextBatch[]> {
  const broadcasts = await fillTogether(database, 'broadcast', lanes, limits);
  const privates = await fillTogether(database, 'private', lanes, limits);
  return [...broadcasts, ...privates];
}

/** Reads the lanes of a kind together, page by page, until each has a batch or all waiting messages are read. */
async function fillTogether(
  database: Reader,
  kind: SealLane['kind'],
  lanes: readonly SealLane[],
  given: Omit<FillLimits, 'maxTopics'>,
): Promise<NextBatch[]> {
  const group = kind === 'private' ? present : null;
  const ofKind = lanes.filter((lane) => lane.kind === kind);
  const waiting = new Map<string, MessageRow[]>(ofKind.map(({ key }) => [key, []]));
  const held = new Set<number>();
  const maxTopics = new Map<string, number>();
  const limits = { ...given, maxTopics: (hash: string) => maxTopics.get(hash) ?? Infinity };
  const fill = (rows: readonly MessageRow[]) => fillBatch(rows, ({ sequence }) => held.has(sequence), limits);
  let open = [...waiting.keys()];
  for (let after = 0; open.length > 0;) {
    const page = await readWaiting(database, { key: open, group, sequence: above(after) }, maxLookAhead);
    for (const sequence of await findHeld(database, page)) held.add(sequence);
    for (const { hash, members } of await findGroups(database, page)) maxTopics.set(hash, maxTopicsFor(members.length));
    for (const row of page) waiting.get(row.key)?.push(row);
    if (page.length < maxLookAhead) break;
    after = page.at(-1)?.sequence ?? after;
    open = open.filter((key) => !isEnough(waiting.get(key) ?? [], fill));
  }
  return ofKind.map((lane) => {
    const rows = waiting.get(lane.key) ?? [];
    const messages = fill(rows);
    const isStuck = messages.length === 0 && rows.length > maxLookAhead;
    return { lane, messages, isFull: messages.length < rows.length, isStuck };
  });
}

function isEnough(rows: readonly MessageRow[], fill: (rows: readonly MessageRow[]) => readonly MessageRow[]): boolean {
  return rows.length >= maxLookAhead && fill(rows).length > 0;
}

export function readWaiting(
  database: Reader,
  columns: Columns<'messages'>,
  limit: number,
): Promise<readonly MessageRow[]> {
  const where = { namespace: every, ...columns, state: 'ready', batch: null, txtype: 'batch_pin' } as const;
  return database.rows('messages', where, { limit });
}

/** Returns the groups of these messages, or none if they have no more topics than a batch of the largest group. */
async function findGroups(database: Reader, waiting: readonly MessageRow[]): Promise<readonly GroupRow[]> {
  const ofGroups = waiting.filter(({ group }) => group !== null);
  const topics = new Set(ofGroups.flatMap((message) => message.topics));
  if (topics.size <= maxTopicsFor(networkLimits.maxGroupMembers)) return [];
  const hash = [...new Set(ofGroups.flatMap(({ group }) => group ?? []))];
  return database.rows('groups', { namespace: every, hash }, { limit: hash.length });
}

/** Returns the sequences of broadcasts with blobs that are not in the shared store yet (docs/protocol.md §7.3). */
async function findHeld(database: Reader, waiting: readonly MessageRow[]): Promise<number[]> {
  const withBlobs = waiting.filter((row) => row.hasBlobs && kindOf(row) === 'broadcast');
  const references = withBlobs.flatMap(({ data }) => data);
  const items = await exactItems(database, references);
  const isHeld = ({ data }: MessageRow) => data.some((reference) => isUnpublished(items.get(referenceKey(reference))));
  return withBlobs.filter(isHeld).map(({ sequence }) => sequence);
}

function isUnpublished(item: DataRow | undefined): boolean {
  assert(item !== undefined, 'the data of a message is stored with it');
  return item.blobHash !== null && item.blobPublic === null;
}
