import { isMember } from '../../../domain/group.js';
import type { Opened, OpenedBatch } from '../../../domain/messages/envelope.js';
import type { PeerAnswer, PeerReceiver } from '../../../ports/data-exchange.js';
import type { Unit } from '../../../ports/database.js';
import { type Judge, JudgeError } from '../../../ports/judge.js';
import type { Log } from '../../../ports/log.js';
import type { BatchRow } from '../../../ports/tables/tables.js';
import { type Columns, every } from '../../../ports/tables/where.js';
import type { Bell } from '../../bus.js';
import { findIdentities, findNodesWithKey, type Registry } from '../../state/identities/registry.js';
import { judgePrivate, keepCandidate, storeCandidate, type PrivateBatch } from './candidate.js';
import { createMemberCheck, type MemberCheck } from './members.js';
import { later, type Received, type ReceivePeerParts, refused, stored } from '../received.js';
import { receiveUnpinned } from './unpinned.js';

type Readable = Exclude<Opened, { readonly kind: 'later' | 'refused' }>;
type ReceiveParts = ReceivePeerParts & { readonly members: MemberCheck };

/**
 * Receives envelopes from peers (docs/protocol.md §6, §8.2, §11.5, §11): a private batch that is pinned is judged and
 * held, any other is kept as a candidate; an unpinned message is stored. A peer is identified by its key and may send
 * for its own member only (docs/architecture.md §12.2). Idempotent.
 */
export function createEnvelopeReceiver(parts: ReceivePeerParts): PeerReceiver['receiveEnvelope'] {
  const { database, judge, bus, log, metrics, failpoint, onPeer } = parts;
  const members = createMemberCheck();
  return async (sender, envelope) => {
    const opened = await open(envelope, judge);
    if (opened.kind === 'later') return { status: 'later', reason: opened.reason };
    if (opened.kind === 'refused') return note(log, sender, { status: 'refused', reason: opened.reason });
    await failpoint.reach('inbox.after-bytes');
    await prepare(opened, members, parts);
    const received = await database.transaction((unit) => receive(unit, sender, opened, { ...parts, members }));
    await failpoint.reach('inbox.after-commit');
    const { answer, bells, nodes, decided = 0 } = received;
    metrics.count('parley_messages_decided_total', decided);
    nodes.forEach(onPeer);
    bus.ring(...bells);
    return note(log, sender, answer);
  };
}

/** Large envelopes are read in a thread. */
async function open(envelope: string, judge: Judge): Promise<Opened> {
  try {
    return judge.now('envelope', envelope) ?? (await judge.ask('envelope', envelope, { lane: 'envelopes', limitMs }));
  } catch (error) {
    if (!(error instanceof JudgeError)) throw error;
    return { kind: 'later', reason: 'the envelope cannot be read now' };
  }
}

/** Longer than the largest envelope takes on any machine. */
const limitMs = 20_000;

function note(log: Log, sender: string, answer: PeerAnswer): PeerAnswer {
  if (answer.status === 'refused') log.warn('An envelope was refused', { sender, reason: answer.reason });
  return answer;
}

/** Reads unchanging facts of the registry before the unit, because units run one at a time. */
async function prepare(opened: Readable, members: MemberCheck, parts: ReceivePeerParts): Promise<void> {
  const { database, registry, own } = parts;
  const header = opened.kind === 'message' ? opened.envelope.message.header : undefined;
  await Promise.all([
    members.prepare(database, opened.group),
    registry.nodeOf(database, own.did),
    ...(header === undefined
      ? []
      : [registry.nodeOf(database, header.author), registry.keepOwners(database, [header.key])]),
  ]);
}

async function receive(
  unit: Unit,
  sender: string,
  opened: Readable,
  parts: ReceiveParts,
): Promise<Received & { readonly nodes: readonly string[] }> {
  const nodes = await findNodesWithKey(unit, sender);
  return { nodes, ...(await receiveFrom(unit, nodes, opened, parts)) };
}

async function receiveFrom(
  unit: Unit,
  nodes: readonly string[],
  opened: Readable,
  parts: ReceiveParts,
): Promise<Received> {
  const ownNode = await parts.registry.nodeIdOf(unit, parts.own.did);
  if (nodes.length === 0 || ownNode === undefined) return later('the registry is not read as far as this peer or node');
  const { group } = opened;
  if (group.members.every(({ node }) => node !== ownNode)) return refused('this node is not a member of the group');
  const fault = await parts.members.fault(unit, group);
  if (fault !== undefined) return fault === 'unknown' ? later('a member is not in the registry yet') : refused(fault);
  return opened.kind === 'batch'
    ? receivePrivate(unit, nodes, opened, parts)
    : receiveUnpinned(unit, nodes, opened, parts);
}

/** Stores a private batch. Its pin and nonces are checked once the pin is here. */
async function receivePrivate(
  unit: Unit,
  nodes: readonly string[],
  opened: OpenedBatch,
  parts: ReceivePeerParts,
): Promise<Received> {
  const peer = await findSender(unit, nodes, opened, parts.registry);
  if ('answer' in peer) return peer;
  const { group, payload: text, hash, examined } = opened;
  const brought = { hash, text, examined, group, peer: peer.node };
  const { batches, mayBeMore } = await findPinned(unit, brought, parts.registry);
  if (batches.length === 0) {
    const isKept = await keepCandidate(unit, brought, parts);
    return isKept ? stored : later('as much as a peer may bring waits for its pins');
  }
  const bells = new Set<Bell>();
  let isTaken = batches.some(({ state }) => state === 'held');
  for (const batch of batches.filter(({ state }) => state === 'wanted')) {
    const judged = await judgePrivate(unit, batch, brought, parts);
    if (judged === undefined) return later('the version of the payload is newer than this program');
    isTaken ||= !judged.isVoid;
    for (const bell of judged.bells) bells.add(bell);
  }
  if (mayBeMore) return { ...later('its hash is pinned under many ids'), bells: [...bells] };
  if (!isTaken) await storeCandidate(unit, brought, parts.clock.now());
  return { ...stored, bells: [...bells] };
}

/**
 * Returns which of the nodes with the sender's key may bring this payload, or the answer to it (docs/protocol.md §6):
 * it must be the node of the author, a member of the group that every message names. An unreadable payload has no
 * author; it is kept because its pin makes the batch void and spent, so that nobody waits for it.
 */
async function findSender(
  unit: Unit,
  nodes: readonly string[],
  { group, examined: read }: OpenedBatch,
  registry: Registry,
): Promise<{ readonly node: string } | Received> {
  if (read.status === 'unknown_version') return later('the version of the payload is newer than this program');
  if (read.status === 'void') {
    const node = nodes.find((each) => group.members.some((member) => member.node === each));
    return node === undefined ? refused('the sender is not a member of the group') : { node };
  }
  const { author, messages } = read.payload;
  const node = await registry.nodeIdOf(unit, author);
  if (node === undefined) return later(`the registry does not name ${author} yet`);
  if (!nodes.includes(node)) return refused("the sender is not the author's node");
  if (!isMember(group.members, { identity: author, node })) return refused('the author is not a member of the group');
  if (messages.some(({ header }) => header.group !== group.hash))
    return refused('the group is not that of the messages');
  return { node };
}

interface Pinned {
  readonly batches: readonly BatchRow[];
  /** Whether wanted batches may be left out, which are judged when the envelope is sent again. */
  readonly mayBeMore: boolean;
}

/** Finds the pinned batches of the peer with this hash. */
async function findPinned(unit: Unit, { hash, peer }: PrivateBatch, registry: Registry): Promise<Pinned> {
  const pinned = { namespace: every, hash, type: 'private' } as const;
  const rows = await unit.rows('batches', pinned, { limit: maxSame });
  if (rows.length === maxSame) return findMany(unit, { ...pinned, author: await findIdentities(unit, peer) });
  const found: BatchRow[] = [];
  for (const row of rows) if ((await registry.nodeIdOf(unit, row.author)) === peer) found.push(row);
  return { batches: found, mayBeMore: false };
}

/** Finds as many wanted batches as are judged in one unit, and one that is held or void. */
async function findMany(unit: Unit, pinned: Columns<'batches'>): Promise<Pinned> {
  const many = { ...pinned, namespace: every } as const;
  const wanted = await unit.rows('batches', { ...many, state: 'wanted' }, { limit: maxSame });
  const held = await unit.first('batches', { ...many, state: 'held' });
  const ended = held ?? (await unit.first('batches', { ...many, state: 'void' }));
  return { batches: ended === undefined ? wanted : [...wanted, ended], mayBeMore: wanted.length === maxSame };
}

/** Batches judged in one unit. Anyone may pin the same hash under many other ids. */
const maxSame = 100;
