import { headOf } from '../../domain/messages/head.js';
import { assert } from '../../domain/invariant.js';
import { networkLimits } from '../../domain/network/limits.js';
import type { Reader } from '../../ports/database.js';
import type { NextPinRow } from '../../ports/tables/messaging-tables.js';
import type { PinRow } from '../../ports/tables/tables.js';
import { type Content, type Contents, createContents } from './contents.js';
import { createTurns, readAhead, type Turn, type Turns } from './turns.js';

export type Head =
  | { readonly kind: 'none' }
  /** There may be pins after those read in this step. */
  | { readonly kind: 'unread' }
  | Content;

/**
 * The unspent expected pins, in chain order, of the contexts of one step, with their batches and messages: read in
 * bulk, then processed in memory. A context with rows in `nextpins` is private; any other is a broadcast topic.
 */
export interface Lines {
  /** Reads everything that the heads of these contexts need and that is not cached. */
  load(contexts: readonly string[]): Promise<void>;
  head(context: string): Head;
  /** Spends the head of a context; in a private context the member's next nonce is expected from then on. */
  spend(context: string): PinRow;
  /** Members of private contexts whose next nonce has changed. */
  moved(): readonly Turn[];
}

/** Pins in one read, and in all private reads of a step; contexts with more stay due. */
const maxPins = 1_000;

interface Line {
  readonly pins: readonly PinRow[];
  readonly isWhole: boolean;
  next: number;
}

export function createLines(reader: Reader): Lines {
  const lines = new Map<string, Line>();
  const privates = new Map<string, Turns>();
  const contents = createContents(reader);
  let pinsAhead = 0;

  async function open(contexts: readonly string[]): Promise<void> {
    const fresh = contexts.filter((context) => !lines.has(context) && !privates.has(context));
    if (fresh.length === 0) return;
    const rows = await readExpectations(reader, fresh);
    for (const [context, members] of rows) privates.set(context, createTurns(members));
    const broadcast = fresh.filter((context) => !rows.has(context));
    for (const [context, line] of await readLines(reader, contents, broadcast)) lines.set(context, line);
  }

  return {
    async load(contexts) {
      await open(contexts);
      const unread = contexts.flatMap((context) => privates.get(context)?.unread() ?? []);
      if (unread.length === 0 || pinsAhead > maxPins) return;
      const pins = await readAhead(reader, unread);
      pinsAhead += pins.length;
      await contents.load(pins);
    },
    head(context) {
      const turns = privates.get(context);
      if (turns !== undefined) {
        const pin = turns.head();
        if (pin === undefined) return { kind: 'none' };
        return pin === 'unread' ? { kind: 'unread' } : contents.of(pin);
      }
      const line = lines.get(context);
      assert(line !== undefined, 'a line is read before it is looked at');
      const pin = pinAt(line);
      if (pin === undefined) return { kind: line.isWhole ? 'none' : 'unread' };
      return contents.of(pin);
    },
    spend(context) {
      const turns = privates.get(context);
      if (turns !== undefined) {
        const pin = turns.head();
        assert(pin !== undefined && pin !== 'unread', 'only a head is spent');
        return turns.spend(contents.of(pin).kind === 'message');
      }
      const line = lines.get(context);
      const pin = line === undefined ? undefined : pinAt(line);
      assert(line !== undefined && pin !== undefined, 'only a head is spent');
      line.next++;
      return pin;
    },
    moved: () => [...privates.values()].flatMap((turns) => turns.moved()),
  };
}

function pinAt({ pins, next }: Line): PinRow | undefined {
  return headOf(rest(pins, next));
}

function* rest(pins: readonly PinRow[], start: number): Generator<PinRow> {
  for (let i = start; i < pins.length; i++) {
    const pin = pins[i];
    if (pin !== undefined) yield pin;
  }
}

/** Returns the expected pins of all members by context; broadcast contexts have none. */
async function readExpectations(
  reader: Reader,
  contexts: readonly string[],
): Promise<ReadonlyMap<string, readonly NextPinRow[]>> {
  const limit = contexts.length * networkLimits.maxGroupMembers;
  const rows = await reader.rows('nextpins', { context: contexts }, { limit });
  const byContext = new Map<string, NextPinRow[]>();
  for (const row of rows) addTo(byContext, row.context, row);
  return byContext;
}

/**
 * One read returns the earliest pins of all contexts, so every context that occurs in it has its head. Contexts crowded
 * out by longer ones are read again without those.
 */
async function readLines(
  reader: Reader,
  contents: Contents,
  contexts: readonly string[],
): Promise<ReadonlyMap<string, Line>> {
  const lines = new Map<string, Line>();
  for (let unread = contexts; unread.length > 0; unread = unread.filter((context) => !lines.has(context))) {
    const pins = await reader.rows('pins', { context: unread, spent: false, masked: false }, { limit: maxPins });
    const isWhole = pins.length < maxPins;
    await contents.load(pins);
    const byContext = new Map<string, PinRow[]>(isWhole ? unread.map((context) => [context, []]) : []);
    for (const pin of pins) addTo(byContext, pin.context, pin);
    for (const [context, line] of byContext) lines.set(context, { pins: line, isWhole, next: 0 });
  }
  return lines;
}

function addTo<Row>(byContext: Map<string, Row[]>, context: string, row: Row): void {
  const rows = byContext.get(context);
  if (rows === undefined) byContext.set(context, [row]);
  else rows.push(row);
}
