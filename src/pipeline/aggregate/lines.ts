import { headOf } from '../../domain/head.js';
import { assert } from '../../domain/invariant.js';
import { everyNamespace, type Unit } from '../../ports/database.js';
import type { BatchRow, MessageRow, PinRow } from '../../ports/tables.js';
import { among, equal, oldestFirst } from '../../wire/query.js';
import { findBatches, findExact, referenceKey } from '../exact.js';

/** What stands at the head of a context. */
export type Head =
  | { readonly kind: 'none' }
  /** There may be more than was read in this step. */
  | { readonly kind: 'unread' }
  | { readonly kind: 'wanted'; readonly pin: PinRow }
  | { readonly kind: 'void'; readonly pin: PinRow }
  | {
      readonly kind: 'message';
      readonly pin: PinRow;
      readonly batch: BatchRow;
      readonly message: MessageRow;
      readonly firstIndex: number;
    };

/**
 * The unspent pins of the contexts that one step looks at, in chain order, with their batches and messages: read in
 * bulk, then walked in memory.
 */
export interface Lines {
  /** Reads the lines of contexts that are not read yet. */
  load(contexts: readonly string[]): Promise<void>;
  head(context: string): Head;
  /** Takes the head of a context away: it is spent. */
  spend(context: string): PinRow;
  contexts(): Iterable<string>;
}

/** How many pins, batches or messages one read takes; what is beyond it stays due for the next step. */
const maxPins = 1_000;

interface Line {
  readonly pins: readonly PinRow[];
  readonly isWhole: boolean;
  next: number;
}

/** Lines as one unit sees them. */
export function createLines(unit: Unit): Lines {
  const lines = new Map<string, Line>();
  const batches = new Map<string, BatchRow>();
  const messages = new Map<string, MessageRow>();

  function pinAt({ pins, next }: Line): PinRow | undefined {
    return headOf(rest(pins, next));
  }

  return {
    async load(contexts) {
      const missing = contexts.filter((context) => !lines.has(context));
      if (missing.length === 0) return;
      const pins = await readPins(unit, missing);
      const isWhole = pins.length < maxPins;
      const byContext = new Map<string, PinRow[]>(missing.map((context) => [context, []]));
      for (const pin of pins) byContext.get(pin.context)?.push(pin);
      for (const [context, line] of byContext) lines.set(context, { pins: line, isWhole, next: 0 });
      for (const batch of await readBatches(unit, pins))
        batches.set(batchKey(batch.id, batch.hash, batch.signer), batch);
      for (const [key, message] of await readMessages(unit, pins, batches)) messages.set(key, message);
    },
    head(context) {
      const line = lines.get(context);
      assert(line !== undefined, 'a line is read before it is looked at');
      const pin = pinAt(line);
      if (pin === undefined) return { kind: line.isWhole ? 'none' : 'unread' };
      return toHead(pin, batches, messages);
    },
    spend(context) {
      const line = lines.get(context);
      const pin = line === undefined ? undefined : pinAt(line);
      assert(line !== undefined && pin !== undefined, 'only a head is spent');
      line.next++;
      return pin;
    },
    contexts: () => lines.keys(),
  };
}

function* rest(pins: readonly PinRow[], start: number): Generator<PinRow> {
  for (let i = start; i < pins.length; i++) {
    const pin = pins[i];
    if (pin !== undefined) yield pin;
  }
}

function toHead(pin: PinRow, batches: ReadonlyMap<string, BatchRow>, messages: ReadonlyMap<string, MessageRow>): Head {
  const batch = batches.get(batchKey(pin.batch, pin.batchHash, pin.signer));
  assert(batch !== undefined, 'a pin has its batch');
  if (batch.state === 'wanted') return { kind: 'wanted', pin };
  if (batch.state === 'void') return { kind: 'void', pin };
  assert(batch.state === 'held', 'a pinned batch is wanted, held or void');
  const entry = entryAt(batch, pin.index);
  const message = messages.get(referenceKey(entry));
  assert(message !== undefined, 'a held batch has its messages');
  return { kind: 'message', pin, batch, message, firstIndex: entry.firstIndex };
}

/** Whose pin stands at an index among the contexts of a batch. */
function entryAt(batch: BatchRow, index: number): { id: string; hash: string; firstIndex: number } {
  let firstIndex = 0;
  for (const { id, hash, topics } of batch.manifest ?? []) {
    if (index < firstIndex + topics) return { id, hash, firstIndex };
    firstIndex += topics;
  }
  assert(false, 'every context of a held batch belongs to one of its messages');
}

function readPins(unit: Unit, contexts: readonly string[]): Promise<readonly PinRow[]> {
  const where = [among('context', contexts), equal('spent', false), equal('masked', false)];
  return unit.find('pins', { namespace: everyNamespace, where, sort: oldestFirst, limit: maxPins });
}

function readBatches(unit: Unit, pins: readonly PinRow[]): Promise<readonly BatchRow[]> {
  return findBatches(
    unit,
    pins.map(({ batch: id, batchHash: hash, signer }) => ({ id, hash, signer })),
  );
}

function readMessages(
  unit: Unit,
  pins: readonly PinRow[],
  batches: ReadonlyMap<string, BatchRow>,
): Promise<ReadonlyMap<string, MessageRow>> {
  const entries = pins.flatMap(({ batch: id, batchHash, signer, index }) => {
    const batch = batches.get(batchKey(id, batchHash, signer));
    return batch?.state === 'held' ? [entryAt(batch, index)] : [];
  });
  return findExact(unit, 'messages', { namespace: everyNamespace }, entries);
}

function batchKey(id: string, hash: string, signer: string): string {
  return `${id}/${hash}/${signer}`;
}
