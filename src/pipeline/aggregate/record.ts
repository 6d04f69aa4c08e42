import { systemNamespace } from '../../domain/identity.js';
import { assert } from '../../domain/invariant.js';
import type { Verdict } from '../../domain/verdict.js';
import { everyNamespace, type Unit } from '../../ports/database.js';
import type { Random } from '../../ports/random.js';
import type { BatchRow, MessageRow, NewRow, PinRow } from '../../ports/tables.js';
import { among, equal, oldestFirst } from '../../wire/query.js';

export interface Decided {
  readonly message: MessageRow;
  /** The batch at whose pin it is decided: the first that was pinned of those that have it. */
  readonly batch: BatchRow;
  readonly verdict: Verdict;
}

/** What one step has found out about the contexts that it looked at. */
export interface Decisions {
  readonly spent: readonly PinRow[];
  /** In the order of decision. */
  readonly decided: readonly Decided[];
  readonly looked: readonly string[];
  /** Context → what its head waits for. */
  readonly waits: ReadonlyMap<string, string>;
  /** Contexts with more pins than one step reads: they stay due. */
  readonly unread: ReadonlySet<string>;
}

/** Writes decisions: state, time, reason, one event, all pins spent, in the one transaction of the step (S §8.7). */
export async function recordDecisions(
  unit: Unit,
  decisions: Decisions,
  { now, random }: { readonly now: string; readonly random: Random },
): Promise<void> {
  const { spent, decided, looked, waits, unread } = decisions;
  await spendPins(unit, spent);
  await decideMessages(unit, decided, now);
  await unit.insert(
    'events',
    decided.map((decision) => newEvent(decision, random.uuid(), now)),
  );
  await recordWaits(unit, looked, waits, now);
  const namespace = systemNamespace;
  const settled = looked.filter((context) => !unread.has(context));
  await unit.remove('due', { namespace, where: [among('context', settled)] });
}

/** A wait that goes on keeps the time since when. */
async function recordWaits(
  unit: Unit,
  looked: readonly string[],
  waits: ReadonlyMap<string, string>,
  now: string,
): Promise<void> {
  const namespace = systemNamespace;
  const where = [among('context', looked)];
  const before = await unit.find('waits', { namespace, where, sort: oldestFirst, limit: looked.length * 2 });
  const over = before.filter(({ context, on }) => waits.get(context) !== on).map(({ sequence }) => sequence);
  if (over.length > 0) await unit.remove('waits', { namespace, where: [among('sequence', over)] });
  await unit.put(
    'waits',
    [...waits].map(([context, on]) => ({ namespace, context, on, since: now })),
  );
}

async function spendPins(unit: Unit, pins: readonly PinRow[]): Promise<void> {
  if (pins.length === 0) return;
  const where = [
    among(
      'sequence',
      pins.map(({ sequence }) => sequence),
    ),
    equal('spent', false),
  ];
  const changed = await unit.update('pins', { namespace: systemNamespace, where }, { spent: true });
  assert(changed === pins.length, 'a pin is spent once');
}

async function decideMessages(unit: Unit, decided: readonly Decided[], now: string): Promise<void> {
  const groups = new Map<string | null, number[]>();
  for (const { message, verdict } of decided) {
    const reason = verdict.state === 'rejected' ? verdict.reason : null;
    const group = groups.get(reason) ?? [];
    group.push(message.sequence);
    groups.set(reason, group);
  }
  for (const [rejectReason, sequences] of groups) {
    const where = [among('sequence', sequences), equal('state', 'ready')];
    const state = rejectReason === null ? 'confirmed' : 'rejected';
    const changes = { state, confirmed: now, rejectReason, rank: now } as const;
    const changed = await unit.update('messages', { namespace: everyNamespace, where }, changes);
    assert(changed === sequences.length, 'a message is decided once');
  }
  for (const { message, batch } of decided) {
    if (message.batch !== batch.id || message.batchHash !== batch.hash) await moveMessage(unit, message, batch);
  }
}

/** Another batch with the same message came before: what it belongs to follows from the chain, not from arrival. */
async function moveMessage(unit: Unit, { sequence }: MessageRow, batch: BatchRow): Promise<void> {
  const where = [equal('sequence', sequence)];
  const changes = { batch: batch.id, batchHash: batch.hash, txid: batch.txid };
  await unit.update('messages', { namespace: everyNamespace, where }, changes);
}

function newEvent({ message, batch, verdict }: Decided, id: string, created: string): NewRow<'events'> {
  return {
    namespace: message.namespace,
    id,
    type: verdict.state === 'confirmed' ? 'message_confirmed' : 'message_rejected',
    reference: message.id,
    referenceHash: message.hash,
    correlator: message.cid,
    tx: batch.txid,
    topic: message.topics[0] ?? null,
    topics: message.topics,
    created,
  };
}
