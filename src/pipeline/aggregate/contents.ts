import { assert } from '../../domain/invariant.js';
import type { Reader } from '../../ports/database.js';
import type { BatchRow, ManifestEntry, MessageRow, PinRow } from '../../ports/tables/tables.js';
import {
  batchNameKey,
  batchNameOf,
  findBatchesOfPins,
  exactItems,
  exactMessages,
  referenceKey,
} from '../state/messages/exact.js';

export type Content =
  { readonly kind: 'wanted'; readonly pin: PinRow } | { readonly kind: 'void'; readonly pin: PinRow } | MessageContent;

export interface MessageContent {
  readonly kind: 'message';
  readonly pin: PinRow;
  readonly batch: BatchRow;
  /** The items are those that this batch describes; another batch with the same message may differ. */
  readonly message: MessageRow;
  /** Index of the message's first pin among the contexts of the batch. */
  readonly firstIndex: number;
  readonly missingBlob: string | undefined;
}

/** The batches and messages of pins, read in bulk and cached for one step. */
export interface Contents {
  load(pins: readonly PinRow[]): Promise<void>;
  of(pin: PinRow): Content;
}

export function createContents(reader: Reader): Contents {
  const batches = new Map<string, BatchRow>();
  const messages = new Map<string, MessageRow>();
  const described = new Map<string, MessageRow>();
  const missing = new Map<MessageRow, string>();

  function entryAt(batch: BatchRow, index: number): Entry {
    const entry = entriesOf(batch)[index];
    assert(entry !== undefined, 'every context of a held batch belongs to one of its messages');
    return entry;
  }

  /**
   * Sets the items of entries that are not cached yet, as their batch describes them. Returns the messages that may
   * wait for files. A message accepted here never does: its files were here, and would not be received again if they
   * were deleted since.
   */
  function describe(wanted: readonly Entry[]): MessageRow[] {
    return wanted.flatMap((entry) => {
      const message = messages.get(referenceKey(entry));
      assert(message !== undefined, 'a held batch has its messages');
      if (described.has(entry.key)) return [];
      const view = { ...message, ...entry.items };
      described.set(entry.key, view);
      return entry.items === undefined ? [] : [view];
    });
  }

  return {
    async load(pins) {
      const unread = pins.filter((pin) => !batches.has(batchKey(pin)));
      for (const batch of await findBatchesOfPins(reader, unread)) batches.set(batchNameKey(batch), batch);
      const wanted = new Set<Entry>();
      for (const pin of pins) {
        const batch = batches.get(batchKey(pin));
        if (batch?.state === 'held') wanted.add(entryAt(batch, pin.index));
      }
      const fresh = [...wanted].filter((entry) => !messages.has(referenceKey(entry)));
      const read = await exactMessages(reader, fresh);
      for (const [key, message] of read) messages.set(key, message);
      for (const [message, hash] of await findMissingBlobs(reader, describe([...wanted]))) missing.set(message, hash);
    },
    of(pin) {
      const batch = batches.get(batchKey(pin));
      assert(batch !== undefined, 'a pin has its batch');
      if (batch.state === 'wanted' || batch.state === 'void') return { kind: batch.state, pin };
      assert(batch.state === 'held', 'a pinned batch is wanted, held or void');
      const entry = entryAt(batch, pin.index);
      const message = described.get(entry.key);
      assert(message !== undefined, 'the message of a pin is described before it is asked for');
      return { kind: 'message', pin, batch, message, firstIndex: entry.firstIndex, missingBlob: missing.get(message) };
    },
  };
}

/** Returns, for undecided messages with a blob that is not stored here, the hash of that blob. */
export async function findMissingBlobs(
  reader: Reader,
  messages: readonly MessageRow[],
): Promise<ReadonlyMap<MessageRow, string>> {
  const withBlobs = messages.filter(({ hasBlobs, state }) => hasBlobs && state === 'ready');
  const references = withBlobs.flatMap(({ data }) => data);
  const items = await exactItems(reader, references);
  const hashes = [...new Set([...items.values()].flatMap(({ blobHash }) => blobHash ?? []))];
  const here = new Set(await findBlobs(reader, hashes));
  const missing = new Map<MessageRow, string>();
  for (const message of withBlobs) {
    const wanted = message.data.flatMap((reference) => items.get(referenceKey(reference))?.blobHash ?? []);
    const absent = wanted.find((hash) => !here.has(hash));
    if (absent !== undefined) missing.set(message, absent);
  }
  return missing;
}

async function findBlobs(reader: Reader, hashes: readonly string[]): Promise<readonly string[]> {
  if (hashes.length === 0) return [];
  return (await reader.rows('blobs', { hash: hashes }, { limit: hashes.length })).map(({ hash }) => hash);
}

interface Entry extends ManifestEntry {
  readonly firstIndex: number;
  readonly key: string;
}

/** Cached by manifest, since a full batch is examined in many steps. */
const known = new WeakMap<readonly ManifestEntry[], readonly Entry[]>();

/** Returns the entry of each pin of a batch, by the pin's index among the contexts of the batch. */
function entriesOf({ sequence, manifest }: BatchRow): readonly Entry[] {
  if (manifest === null) return [];
  const before = known.get(manifest);
  if (before !== undefined) return before;
  let firstIndex = 0;
  const entries = manifest.flatMap((each) => {
    const entry = { ...each, firstIndex, key: `${sequence}/${referenceKey(each)}` };
    firstIndex += each.topics;
    return Array.from({ length: each.topics }, () => entry);
  });
  known.set(manifest, entries);
  return entries;
}

function batchKey(pin: PinRow): string {
  return batchNameKey(batchNameOf(pin));
}
