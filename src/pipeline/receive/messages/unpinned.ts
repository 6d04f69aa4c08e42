import { isMember } from '../../../domain/group.js';
import { networkLimits } from '../../../domain/network/limits.js';
import { faultOfMessage, sizeOfMessage } from '../../../domain/messages/message.js';
import type { ProfileRules } from '../../../domain/network/profile.js';
import { faultOfItems } from '../../../domain/messages/verify.js';
import type { Unit } from '../../../ports/database.js';
import type { MessageEnvelope } from '../../../wire/messages/envelope.js';
import { unpinnedKey } from '../../state/messages/unpinned-key.js';
import { markDue } from '../../state/messages/contexts.js';
import { exactMessages } from '../../state/messages/exact.js';
import { describedItems, newMessage } from '../../state/messages/message-row.js';
import { newData } from '../../state/data/data-row.js';
import { newGroup } from '../../state/groups/group-row.js';
import { newMessageEvent } from '../../state/events/event-row.js';
import { newTransaction } from '../../state/chain/transaction-row.js';
import { awaitBlobs } from '../../blobs/claims.js';
import type { OpenedGroup } from '../../../domain/messages/envelope.js';
import { later, type Received, type ReceivePeerParts, refused, stored } from '../received.js';

/**
 * Stores an unpinned message (docs/protocol.md §11.5) after the checks of batches that apply to it. One without blobs
 * and datatypes waits for nothing and is confirmed at once; any other is stored as `ready` and its key is due. A known
 * message stays unchanged, without a second event.
 */
export async function receiveUnpinned(
  unit: Unit,
  nodes: readonly string[],
  { group, envelope }: { readonly group: OpenedGroup; readonly envelope: MessageEnvelope },
  { registry, namespaces, profileRules, clock, random }: ReceivePeerParts,
): Promise<Received> {
  const { message, data, node } = envelope;
  const { header } = message;
  const owner = (await registry.owners(unit, [header.key])).get(header.key);
  const authorNode = await registry.nodeIdOf(unit, header.author);
  if (owner === undefined || authorNode === undefined) return later(`the registry does not name ${header.author} yet`);
  if (!nodes.includes(node)) return refused('the sender is another node');
  if (authorNode !== node) return refused("the sender is not the author's node");
  if (owner !== header.author) return refused("the key is not the author's");
  const fault = faultOfUnpinned(envelope, group, profileRules);
  if (fault !== undefined) return refused(fault);
  if (!namespaces.includes(header.namespace)) return refused(`this node has no namespace ${header.namespace}`);
  if ((await exactMessages(unit, [{ id: header.id, hash: message.hash }], header)).size > 0) return stored;
  const { namespace } = header;
  const created = clock.now();
  await unit.put('groups', [newGroup(namespace, { ...group, created, message: header.id })]);
  await unit.put(
    'data',
    data.map((item) => newData(namespace, item)),
  );
  const items = describedItems(data);
  const txid = envelope.tx.id;
  await unit.put('transactions', [newTransaction(namespace, { id: txid, type: header.txtype, created })]);
  if (data.every(({ blob, datatype }) => blob === undefined && datatype === undefined)) {
    const row = newMessage(message, { items, state: 'confirmed', confirmed: created, pins: [], txid });
    await unit.insert('messages', [row]);
    await unit.insert('events', [newMessageEvent(row, { id: random.uuid(), state: 'confirmed', tx: txid, created })]);
    return { ...stored, bells: ['received', 'events'], decided: 1 };
  }
  await unit.insert('messages', [newMessage(message, { items, state: 'ready', pins: [], txid })]);
  await awaitBlobs(unit, { peer: node, source: message.hash, blobs: data.flatMap(({ blob }) => blob ?? []) });
  await markDue(unit, [unpinnedKey({ id: header.id, hash: message.hash })]);
  return { ...stored, bells: ['received', 'due'] };
}

function faultOfUnpinned(
  { message, data, node }: MessageEnvelope,
  group: OpenedGroup,
  { unpinned: word }: Pick<ProfileRules, 'unpinned'>,
): string | undefined {
  const { header } = message;
  if (header.type !== 'private' || header.txtype !== word) return 'a message that needs a batch';
  if (header.group !== group.hash) return 'the group is not that of the message';
  if (header.namespace !== group.namespace) return 'a group of another namespace';
  if (!isMember(group.members, { identity: header.author, node })) return 'the author is not a member of the group';
  const bytes = sizeOfMessage(data.flatMap(({ value }) => value ?? []));
  if (bytes > networkLimits.maxBatchDataBytes) return 'more data than a message may have';
  return faultOfMessage(message) ?? faultOfItems({ messages: [message], data });
}
