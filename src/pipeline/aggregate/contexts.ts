import { assert } from '../../domain/invariant.js';
import { groupContext, topicPin } from '../../domain/messages/pin.js';
import { decide, noFacts } from '../../domain/messages/verdict.js';
import type { Unit } from '../../ports/database.js';
import type { MessageRow, PinRow } from '../../ports/tables/tables.js';
import { definitionTopic } from '../../domain/network/identity.js';
import { referenceKey } from '../state/messages/exact.js';
import { decidedAt } from '../state/messages/message-row.js';
import type { MessageContent } from './contents.js';
import { dependsOnFacts, type FactFinder } from './facts.js';
import { createLines, type Head, type Lines } from './lines.js';
import type { DecidedMessage, Decisions } from './record.js';

interface Finding {
  readonly lines: Lines;
  readonly facts: FactFinder;
  readonly decided: Map<string, DecidedMessage>;
  readonly spent: PinRow[];
  readonly waits: Map<string, string>;
  readonly unread: Set<string>;
  /** Contexts in which a definition, or a void batch that may have held one, was spent. */
  readonly released: Set<string>;
  readonly followed: Set<string>;
  /** By context: the contexts whose heads wait for that context. */
  readonly after: Map<string, Set<string>>;
}

/**
 * Decides the heads of each due context as far as possible. A decision may release other contexts, which are then
 * examined too.
 */
export async function decideContexts(unit: Unit, due: readonly string[], facts: FactFinder): Promise<Decisions> {
  const finding: Finding = {
    lines: createLines(unit),
    facts,
    decided: new Map(),
    spent: [],
    waits: new Map(),
    unread: new Set(),
    released: new Set(),
    followed: new Set(),
    after: new Map(),
  };
  const { lines, spent, waits, unread, followed, after } = finding;
  await lines.load(due);
  await lines.load(contextsOfHeads(lines, due));
  const queue = [...due];
  for (let context = queue.pop(); context !== undefined; context = queue.pop()) {
    for (let isMoving = true; isMoving;) {
      const step = await advance(finding, context);
      isMoving = step.kind === 'moved';
      if (step.kind === 'moved') {
        spent.push(...step.spent);
        queue.push(...step.freed);
        for (const moved of [context, ...step.freed]) queue.push(...(after.get(moved) ?? []));
        continue;
      }
      waits.delete(context);
      unread.delete(context);
      if (step.kind === 'unread') unread.add(context);
      if (step.kind === 'waits') waits.set(context, step.on);
      if (step.kind === 'after') {
        waits.set(context, `context:${step.other}`);
        // The waiting context is examined again when the other one advances.
        const waiting = after.get(step.other) ?? new Set();
        after.set(step.other, waiting.add(context));
        if (!followed.has(step.other)) queue.push(step.other);
      }
      followed.add(context);
    }
  }
  return {
    spent,
    moved: lines.moved(),
    decided: [...finding.decided.values()],
    // Contexts that were read only for others are excluded: their waits and due rows stay.
    looked: [...followed],
    waits,
    unread,
    released: finding.released,
  };
}

type Advance =
  | { readonly kind: 'moved'; readonly spent: readonly PinRow[]; readonly freed: readonly string[] }
  | Stay
  | { readonly kind: 'done' };

type Stay =
  | { readonly kind: 'waits'; readonly on: string }
  /** Everything before the head in the other context must be decided first. */
  | { readonly kind: 'after'; readonly other: string }
  | { readonly kind: 'unread' };

/** Spends the head of one context, or returns the reason why it stays. */
async function advance(finding: Finding, context: string): Promise<Advance> {
  const { lines, released } = finding;
  await lines.load([context]);
  const head = lines.head(context);
  switch (head.kind) {
    case 'none':
      return { kind: 'done' };
    case 'unread':
      return { kind: 'unread' };
    case 'wanted':
      return { kind: 'waits', on: `batch:${head.pin.batch}/${head.pin.batchHash}/${head.pin.signer}` };
    case 'void':
      // Each pin of a void batch is spent once it is the head of its own context (docs/protocol.md §8.3).
      released.add(context);
      return { kind: 'moved', spent: [lines.spend(context)], freed: [] };
    case 'message':
      return advanceMessage(finding, context, head);
  }
}

async function advanceMessage(finding: Finding, context: string, head: MessageContent): Promise<Advance> {
  const { lines, released } = finding;
  const { message } = head;
  const contexts = contextsOfMessage(message);
  await lines.load(contexts);
  const blocking = contexts.find((other, i) => !isHead(lines.head(other), head, head.firstIndex + i));
  if (blocking !== undefined) {
    return lines.head(blocking).kind === 'unread' ? { kind: 'unread' } : { kind: 'waits', on: `context:${blocking}` };
  }
  // A message decided in another batch only spends its pins (docs/protocol.md §8.6).
  if (message.state === 'ready' && !finding.decided.has(referenceKey(message))) {
    const pins = contexts.map((other) => pinOf(lines.head(other)));
    const stay = await settle(finding, head, pins);
    if (stay !== undefined) return stay;
  }
  if (message.type === 'definition') for (const other of contexts) released.add(other);
  const spent = contexts.map((other) => lines.spend(other));
  return { kind: 'moved', spent, freed: contexts.filter((other) => other !== context) };
}

/** Decides a message that is the head of all its contexts; returns a reason to stay if blobs or facts are missing. */
async function settle(
  { lines, facts, decided }: Finding,
  { message, batch, missingBlob }: MessageContent,
  pins: readonly PinRow[],
): Promise<Stay | undefined> {
  assert(decidedAt(message) === null, 'a message is decided once');
  if (missingBlob !== undefined) return { kind: 'waits', on: `blob:${missingBlob}` };
  const place = pins[0]?.sequence;
  let known = noFacts;
  if (message.type === 'definition' || dependsOnFacts(message)) {
    const stay = message.type === 'definition' ? undefined : await awaitDefinitions(lines, message, place);
    if (stay !== undefined) return stay;
    const pin = pins[0];
    assert(pin !== undefined, 'a message in the order has a pin');
    const answer = await facts.find(message, { pin, batch });
    if (answer.kind === 'waits') return answer;
    known = answer.facts;
  }
  const decision = { message, batch, pins, place, verdict: decide(message, known) };
  decided.set(referenceKey(message), decision);
  facts.note(decision);
  return undefined;
}

/**
 * A message with a datatype or a token operation waits until all earlier definitions of its namespace are decided
 * (docs/protocol.md §8.6).
 */
async function awaitDefinitions(
  lines: Lines,
  { namespace }: MessageRow,
  place: number | undefined,
): Promise<Stay | undefined> {
  const other = topicPin(definitionTopic(namespace));
  await lines.load([other]);
  const head = lines.head(other);
  if (head.kind === 'none') return undefined;
  if (head.kind === 'unread') return { kind: 'unread' };
  return place !== undefined && head.pin.sequence > place ? undefined : { kind: 'after', other };
}

function pinOf(head: Head): PinRow {
  assert(head.kind !== 'none' && head.kind !== 'unread', 'the message is at the head');
  return head.pin;
}

/** Returns all contexts of the messages at these heads, to be read together. */
function contextsOfHeads(lines: Lines, contexts: readonly string[]): readonly string[] {
  const heads = contexts.map((context) => lines.head(context));
  const messages = new Set(heads.flatMap((head) => (head.kind === 'message' ? [head.message] : [])));
  return [...new Set([...messages].flatMap(contextsOfMessage))];
}

function contextsOfMessage({ group, topics }: MessageRow): readonly string[] {
  return topics.map((topic) => (group === null ? topicPin(topic) : groupContext(topic, group)));
}

function isHead(head: Head, message: MessageContent, index: number): boolean {
  if (head.kind !== 'message') return false;
  const { pin } = head;
  const sameBatch = pin.batch === message.pin.batch && pin.batchHash === message.pin.batchHash;
  return sameBatch && pin.signer === message.pin.signer && pin.index === index;
}
