import { assert } from '../../domain/invariant.js';
import { decide, type Verdict } from '../../domain/verdict.js';
import type { Clock } from '../../ports/clock.js';
import { type Database, everyNamespace, type Unit } from '../../ports/database.js';
import type { Failpoint } from '../../ports/failpoint.js';
import type { Metrics } from '../../ports/metrics.js';
import type { Random } from '../../ports/random.js';
import type { PinRow } from '../../ports/tables.js';
import { oldestFirst } from '../../wire/query.js';
import type { OwnIdentity } from '../accept/author.js';
import { referenceKey } from '../exact.js';
import type { Step } from '../loop.js';
import { createLines, type Head, type Lines } from './lines.js';
import { type Decided, type Decisions, recordDecisions } from './record.js';

export interface AggregateParts {
  readonly database: Database;
  readonly own: OwnIdentity;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly failpoint: Failpoint;
}

/** How many due contexts one step takes. */
const maxDue = 100;

/**
 * Due contexts → heads → verdicts → rows, in one transaction (architecture, 2): a message is decided when it is the
 * head of every one of its contexts and its batch is here. What cannot be decided leaves a row that says what it waits
 * for.
 */
export function createAggregateStep(parts: AggregateParts): () => Promise<Step> {
  const { database, own, clock, random, metrics, failpoint } = parts;
  return async () => {
    const now = clock.now();
    const decisions = await database.transaction(async (unit) => {
      const due = await findDue(unit);
      if (due.length === 0) return undefined;
      const made = await decideContexts(unit, due);
      await recordDecisions(unit, made, { now, random });
      await failpoint.reach('confirm.mid-transaction');
      return { ...made, isLast: due.length < maxDue && made.unread.size === 0 };
    });
    if (decisions === undefined) return { hasWorked: false, rings: [] };
    await failpoint.reach('confirm.after-commit');
    countDecisions(metrics, own, decisions.decided);
    return { hasWorked: !decisions.isLast, rings: decisions.decided.length > 0 ? ['events'] : [] };
  };
}

async function findDue(unit: Unit): Promise<readonly string[]> {
  const rows = await unit.find('due', { namespace: everyNamespace, where: [], sort: oldestFirst, limit: maxDue });
  return rows.map(({ context }) => context);
}

/**
 * Follows each due context as far as it goes; a decision in one context may free others, which are followed in turn.
 */
async function decideContexts(unit: Unit, due: readonly string[]): Promise<Decisions> {
  const lines = createLines(unit);
  await lines.load(due);
  const spent: PinRow[] = [];
  const decided = new Map<string, Decided>();
  const waits = new Map<string, string>();
  const unread = new Set<string>();
  const queue = [...due];
  for (let context = queue.pop(); context !== undefined; context = queue.pop()) {
    for (;;) {
      const step = await advance(lines, context, decided);
      if (step.kind === 'moved') {
        spent.push(...step.spent);
        queue.push(...step.freed);
        continue;
      }
      waits.delete(context);
      if (step.kind === 'unread') unread.add(context);
      if (step.kind === 'waits') waits.set(context, step.on);
      break;
    }
  }
  return { spent, decided: [...decided.values()], looked: [...lines.contexts()], waits, unread };
}

type Advance =
  | { readonly kind: 'moved'; readonly spent: readonly PinRow[]; readonly freed: readonly string[] }
  | { readonly kind: 'waits'; readonly on: string }
  | { readonly kind: 'unread' }
  | { readonly kind: 'done' };

/** One move of one context: its head is spent, or what keeps it there. */
async function advance(lines: Lines, context: string, decided: Map<string, Decided>): Promise<Advance> {
  const head = lines.head(context);
  switch (head.kind) {
    case 'none':
      return { kind: 'done' };
    case 'unread':
      return { kind: 'unread' };
    case 'wanted':
      return { kind: 'waits', on: `batch:${head.pin.batch}/${head.pin.batchHash}/${head.pin.signer}` };
    case 'void':
      // Each pin of a void batch is spent when it is the head of its own context, whatever the others do (S §8.5).
      return { kind: 'moved', spent: [lines.spend(context)], freed: [] };
    case 'message': {
      const contexts = head.message.pins;
      // One by one: a long line read together with another could hide the head of the other.
      for (const other of contexts) await lines.load([other]);
      const blocking = contexts.find((other, i) => !isHead(lines.head(other), head, head.firstIndex + i));
      if (blocking !== undefined && lines.head(blocking).kind === 'unread') return { kind: 'unread' };
      if (blocking !== undefined) return { kind: 'waits', on: `context:${blocking}` };
      settle(head, decided);
      const spent = contexts.map((other) => lines.spend(other));
      return { kind: 'moved', spent, freed: contexts.filter((other) => other !== context) };
    }
  }
}

function isHead(head: Head, message: Extract<Head, { readonly kind: 'message' }>, index: number): boolean {
  if (head.kind !== 'message') return false;
  const { pin } = head;
  const sameBatch = pin.batch === message.pin.batch && pin.batchHash === message.pin.batchHash;
  return sameBatch && pin.signer === message.pin.signer && pin.index === index;
}

/** A message that was decided before, in another batch, only spends its pins (S §8.7). */
function settle({ message, batch }: Extract<Head, { readonly kind: 'message' }>, decided: Map<string, Decided>): void {
  const key = referenceKey(message);
  if (message.state !== 'ready' || decided.has(key)) return;
  const verdict: Verdict = decide(message);
  assert(message.confirmed === null, 'a message is decided once');
  decided.set(key, { message, batch, verdict });
}

function countDecisions(metrics: Metrics, own: OwnIdentity, decided: readonly Decided[]): void {
  const ours = decided.filter(({ message }) => message.key === own.key);
  const confirmed = ours.filter(({ verdict }) => verdict.state === 'confirmed').length;
  metrics.count('ff_broadcast_confirmed_total', confirmed);
  metrics.count('ff_broadcast_rejected_total', ours.length - confirmed);
  metrics.count('parley_messages_decided_total', decided.length);
}

/** Everything that waits is looked at again after a start. */
export async function markAllDue(database: Database): Promise<void> {
  await database.transaction(async (unit) => {
    const waits = await unit.find('waits', {
      namespace: everyNamespace,
      where: [],
      sort: oldestFirst,
      limit: maxWaits,
    });
    const contexts = new Map(waits.map(({ namespace, context }) => [context, { namespace, context }]));
    await unit.put('due', [...contexts.values()]);
  });
}

const maxWaits = 100_000;
