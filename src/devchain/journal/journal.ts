import assert from 'node:assert/strict';
import { constants } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { Failpoint } from '../../ports/failpoint.js';
import { FileNotFound, type Files } from '../../ports/files.js';
import type { Log } from '../../ports/log.js';

/** One change that a turn made to the chain. Repeated in the same order they produce the same blocks. */
export type Action =
  | { readonly do: 'accept'; readonly raw: string }
  | { readonly do: 'drop'; readonly hash: string }
  | { readonly do: 'mine'; readonly number: number; readonly time: number; readonly hash: string }
  | { readonly do: 'clock'; readonly offsetSeconds: number; readonly nextTime: number | null }
  | { readonly do: 'mining'; readonly auto: boolean; readonly intervalMs: number };

/** A journal is one `begin`, which identifies its chain, followed by one `turn` per turn. */
export type Entry =
  | { readonly begin: { readonly format: 1; readonly chainId: number; readonly genesisHash: string } }
  | { readonly turn: readonly Action[] };

export interface Journal {
  /**
   * Passes all entries to `visit`, oldest first, each with the share of the journal read so far, up to 1, and calls
   * `end` after the last. The incomplete last entry of a killed process, which was never acknowledged, is then cut
   * off.
   * Rejects, without a change, if a valid entry follows a damaged one, or if `visit` or `end` rejects.
   */
  read(visit: (entry: Entry, share: number) => Promise<void>, end?: () => Promise<void>): Promise<void>;
  /**
   * Resolves when the entry survives a power cut. If it rejects, the entry is not in the journal; it always does so for
   * an entry that `read` could not read.
   */
  append(entry: Entry): Promise<void>;
  sizeBytes(): number;
  /** Removes all entries after a position returned by `sizeBytes`; resolves when that survives a power cut. */
  cut(sizeBytes: number): Promise<void>;
}

export interface JournalOptions {
  readonly files: Files;
  readonly log: Log;
  readonly failpoint: Failpoint;
  /** The longest line that is written or read. */
  readonly maxLineBytes?: number;
}

const fileName = 'journal';
const checksumCharacters = 16;
const lineEnd = 0x0a;

/**
 * Creates the journal of the chain, the file `journal`: a line per entry, `<first 16 digits of the text's SHA-256>
 * <text>`. A line is at most as long as a string may be, since it must be parsed.
 */
export function createJournal(options: JournalOptions): Journal {
  const { files, log, failpoint, maxLineBytes = constants.MAX_STRING_LENGTH } = options;
  let sizeBytes = 0;
  let isSizeKnown = true;

  async function cut(toBytes: number): Promise<void> {
    isSizeKnown = false;
    await files.truncate(fileName, toBytes);
    await files.sync(fileName);
    sizeBytes = toBytes;
    isSizeKnown = true;
  }

  return {
    async read(visit, end) {
      assert(isSizeKnown, 'the journal is not read after a failed cut');
      const writtenBytes = (await files.size(fileName)) ?? 0;
      let goodBytes = 0;
      let isTorn = false;
      for await (const line of readLines(files, maxLineBytes)) {
        const entry = line.isWhole ? parseLine(line.bytes) : undefined;
        if (entry === undefined) {
          if (hidesEntry(line.bytes)) throw damaged(goodBytes);
          isTorn = true;
          continue;
        }
        if (isTorn) throw damaged(goodBytes);
        await visit(entry, line.endBytes / writtenBytes);
        goodBytes = line.endBytes;
      }
      await end?.();
      sizeBytes = goodBytes;
      if (writtenBytes === goodBytes) return;
      log.warn('Cut an unfinished entry off the journal', { cutBytes: writtenBytes - goodBytes, sizeBytes: goodBytes });
      await cut(goodBytes);
    },

    async append(entry) {
      assert(isSizeKnown, 'nothing is appended after a failed cut');
      const line = formatLine(entry);
      if (line.length > maxLineBytes) {
        throw new Error(`An entry of ${line.length} bytes is too long for the journal: the limit is ${maxLineBytes}.`);
      }
      try {
        await files.append(fileName, line);
        await failpoint.reach('chain.after-journal-write');
        await files.sync(fileName);
        await failpoint.reach('chain.after-fsync');
      } catch (cause) {
        await cut(sizeBytes).catch((second: unknown) => {
          const what = 'The journal could not be written, and the part that was written could not be removed.';
          throw new AggregateError([cause, second], what, { cause: second });
        });
        throw new Error('The journal could not be written.', { cause });
      }
      sizeBytes += line.length;
    },

    sizeBytes: () => sizeBytes,
    cut,
  };
}

interface Line {
  readonly bytes: Buffer;
  /** Position of the line's end in the file. */
  readonly endBytes: number;
  /** False for the bytes after the last line end. */
  readonly isWhole: boolean;
}

async function* readLines(files: Files, maxLineBytes: number): AsyncGenerator<Line> {
  let parts: Uint8Array[] = [];
  let partBytes = 0;
  let endBytes = 0;
  for await (const chunk of readOrNothing(files)) {
    let from = 0;
    for (let to = chunk.indexOf(lineEnd); to >= 0; to = chunk.indexOf(lineEnd, from)) {
      const bytes = Buffer.concat([...parts, chunk.subarray(from, to)]);
      endBytes += bytes.length + 1;
      yield { bytes, endBytes, isWhole: true };
      parts = [];
      partBytes = 0;
      from = to + 1;
    }
    parts.push(chunk.subarray(from));
    partBytes += chunk.length - from;
    if (partBytes > maxLineBytes) throw damaged(endBytes);
  }
  if (partBytes > 0) yield { bytes: Buffer.concat(parts), endBytes: endBytes + partBytes, isWhole: false };
}

async function* readOrNothing(files: Files): AsyncGenerator<Uint8Array> {
  try {
    yield* files.read(fileName);
  } catch (cause) {
    if (!(cause instanceof FileNotFound)) throw cause;
  }
}

function formatLine(entry: Entry): Buffer {
  const text = JSON.stringify(entry);
  return Buffer.from(`${checksum(Buffer.from(text))} ${text}\n`);
}

function parseLine(bytes: Buffer): Entry | undefined {
  const text = bytes.subarray(checksumCharacters + 1);
  const start = `${checksum(text)} `;
  if (bytes.toString('latin1', 0, checksumCharacters + 1) !== start) return undefined;
  const entry: unknown = JSON.parse(text.toString('utf8'));
  assert(isEntry(entry), 'a text with a valid checksum is an entry');
  return entry;
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && ('begin' in value || 'turn' in value);
}

/** Whether a valid entry follows damaged bytes in the same line, because the line end before it is damaged. */
function hidesEntry(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(' {"'); at >= 0; at = bytes.indexOf(' {"', at + 1)) {
    const start = at - checksumCharacters;
    if (start > 0 && parseLine(bytes.subarray(start)) !== undefined) return true;
  }
  return false;
}

function checksum(text: Uint8Array): string {
  return createHash('sha256').update(text).digest('hex').slice(0, checksumCharacters);
}

function damaged(atBytes: number): Error {
  return new Error(
    `The chain's journal is damaged at byte ${atBytes}, with valid entries after it. Nothing was changed. ` +
      'Restore the data directory from a copy, or reset the stack.',
  );
}
