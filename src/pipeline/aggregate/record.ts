import { systemNamespace } from '../../domain/network/identity.js';
import { assert } from '../../domain/invariant.js';
import type { Verdict } from '../../domain/messages/verdict.js';
import type { Unit } from '../../ports/database.js';
import type { BatchRow, MessageRow, NewRow, PinRow } from '../../ports/tables/tables.js';
import { findWaiting, markDue } from '../state/messages/contexts.js';
import { namespacesOfDecision, newMessageEvent } from '../state/events/event-row.js';
import { applyDefinitions, type ApplyParts, type Defined } from './define.js';
import { expectedAt, type Turn } from './turns.js';

export interface DecidedMessage {
  readonly message: MessageRow;
  /** The batch that decides the message: the first one pinned among those that contain it. */
  readonly batch?: BatchRow;
  readonly pins: readonly PinRow[];
  /** Sequence of its first pin; undefined if unpinned. */
  readonly place?: number | undefined;
  readonly verdict: Verdict;
}

export interface Decisions {
  readonly spent: readonly PinRow[];
  readonly moved: readonly Turn[];
  readonly decided: readonly DecidedMessage[];
  readonly looked: readonly string[];
  /** By context, or key of an unpinned message: what it waits for. */
  readonly waits: ReadonlyMap<string, string>;
  /** Contexts with more pins than one step reads; they stay due. */
  readonly unread: ReadonlySet<string>;
  /** Contexts in which a definition, or a void batch, was spent; contexts that wait for these become due. */
  readonly released: ReadonlySet<string>;
}

/**
 * Writes decisions in the transaction of the step: state, time, reason, event and spent pins (docs/protocol.md §8.6).
 */
export async function recordDecisions(unit: Unit, decisions: Decisions, parts: ApplyParts): Promise<void> {
  const { now } = parts;
  const { spent, moved, decided, looked, waits, released } = decisions;
  await spendPins(unit, spent);
  await moveTurns(unit, moved);
  await decideMessages(unit, decided, now);
  const definitions = await applyDefinitions(unit, decided, parts);
  await unit.insert(
    'events',
    decided.flatMap((decision) => newEvents(decision, definitions.get(decision.message.sequence), parts)),
  );
  await recordWaits(unit, looked, waits, now);
  await release(unit, released, new Set(looked));
}

/** Unchanged waits keep their `since`. */
async function recordWaits(
  unit: Unit,
  looked: readonly string[],
  waits: ReadonlyMap<string, string>,
  now: string,
): Promise<void> {
  const namespace = systemNamespace;
  const before = await unit.rows('waits', { context: looked }, { limit: looked.length * 2 });
  const over = before.filter(({ context, on }) => waits.get(context) !== on).map(({ sequence }) => sequence);
  if (over.length > 0) await unit.remove('waits', { sequence: over });
  await unit.put(
    'waits',
    [...waits].map(([context, on]) => ({ namespace, context, on, since: now })),
  );
}

/** Marks the contexts that wait for these as due, except those examined in this step. */
async function release(unit: Unit, contexts: ReadonlySet<string>, looked: ReadonlySet<string>): Promise<void> {
  if (contexts.size === 0) return;
  const on = [...contexts].map((context) => `context:${context}`);
  const waiting = await findWaiting(unit, on);
  await markDue(
    unit,
    [...waiting].filter((context) => !looked.has(context)),
  );
}

async function spendPins(unit: Unit, pins: readonly PinRow[]): Promise<void> {
  if (pins.length === 0) return;
  const sequences = pins.map(({ sequence }) => sequence);
  const changed = await unit.update('pins', { sequence: sequences, spent: false }, { spent: true });
  assert(changed === pins.length, 'a pin is spent once');
}

async function moveTurns(unit: Unit, turns: readonly Turn[]): Promise<void> {
  for (const turn of turns) {
    const { row, nonce } = turn;
    const changes = { nonce, hash: expectedAt(turn, nonce) };
    const changed = await unit.update('nextpins', { sequence: row.sequence, nonce: row.nonce }, changes);
    assert(changed === 1, 'a nonce is used up once');
  }
}

async function decideMessages(unit: Unit, decided: readonly DecidedMessage[], now: string): Promise<void> {
  const groups = new Map<string | null, number[]>();
  for (const { message, verdict } of decided) {
    const reason = verdict.state === 'rejected' ? verdict.reason : null;
    const group = groups.get(reason) ?? [];
    group.push(message.sequence);
    groups.set(reason, group);
  }
  for (const [rejectReason, sequences] of groups) {
    const state = rejectReason === null ? 'confirmed' : 'rejected';
    const changes = { state, [state]: now, rejectReason, rank: now } as const;
    const changed = await unit.update('messages', { sequence: sequences, state: 'ready' }, changes);
    assert(changed === sequences.length, 'a message is decided once');
  }
  for (const { message, batch, pins } of decided) {
    if (batch === undefined) continue;
    if (message.batch !== batch.id || message.batchHash !== batch.hash) await moveMessage(unit, message, batch, pins);
  }
}

/**
 * Assigns the message to the deciding batch if another arrived first, so that its batch follows from the chain and not
 * from arrival.
 */
async function moveMessage(
  unit: Unit,
  { sequence, data, hasBlobs, hasDatatypes, sizeBytes }: MessageRow,
  batch: BatchRow,
  pins: readonly PinRow[],
): Promise<void> {
  const changes = {
    batch: batch.id,
    batchHash: batch.hash,
    txid: batch.txid,
    pins: pins.map(({ context }) => context),
    data,
    hasBlobs,
    hasDatatypes,
    sizeBytes,
  };
  await unit.update('messages', { sequence }, changes);
}

function newEvents(
  { message, batch, verdict }: DecidedMessage,
  defined: Defined | undefined,
  { random, now: created, own }: ApplyParts,
): NewRow<'events'>[] {
  const tx = batch?.txid ?? message.txid;
  assert(tx !== null, 'what is decided came with a transaction');
  const { state } = verdict;
  const decision = { state, tx, correlator: defined?.correlator, created };
  const told = namespacesOfDecision(message, state, own).map((namespace) =>
    newMessageEvent(message, { ...decision, id: random.uuid(), namespace }),
  );
  return [...(defined?.events ?? []), ...told];
}
