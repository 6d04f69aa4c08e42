import { sealBatch, type SealedBatch } from '../../src/domain/messages/batch.js';
import { hashOfGroup } from '../../src/domain/group.js';
import { hashOfItem, sha256 } from '../../src/domain/hash.js';
import { identityId, nodeDid, organizationDid } from '../../src/domain/network/identity.js';
import type { UnsealedHeader } from '../../src/domain/messages/message.js';
import type { PinCall, Receipt } from '../../src/ports/blockchain.js';
import type { DataExchange, PeerAnswer } from '../../src/ports/data-exchange.js';
import type { Blob } from '../../src/wire/data/data.js';
import { BatchEnvelope, MessageEnvelope } from '../../src/wire/messages/envelope.js';
import type { EnvelopeGroup } from '../../src/wire/messages/group.js';
import { textOf, write } from '../../src/wire/json/json.js';
import { aMessage, anItem, uuid } from './fixtures.js';
import type { Pipelines } from './pipelines.js';

const organization = 'mallory';
const node = identityId(nodeDid(`${organization}-node`));
const peer = { endpoint: `https://${organization}`, publicKeyHash: 'b'.repeat(64) };

/** A hostile member. The test holds its keys, so it can pin and send anything. */
export const mallory = {
  key: `0x${'bad'.padStart(40, '0')}`,
  did: organizationDid(organization),
  node,
} as const;

/** Registers mallory. Its node answers every envelope with `answer`. */
export async function registerMallory(
  { ledger, exchange, settle }: Pipelines,
  answer: PeerAnswer = { status: 'stored' },
): Promise<DataExchange> {
  ledger.addMember({ organization, key: mallory.key, node: `${organization}-node`, ...peer });
  const end = exchange.connect(peer);
  end.admit(new Set(exchangeKeys));
  await end.listen({
    receiveEnvelope: async () => answer,
    offerBlob: async () => answer,
    receiveBlob: async () => answer,
    receiveRequest: async () => answer,
  });
  await settle();
  return end;
}

/** The keys of a network's parties, in order. */
const exchangeKeys = Array.from({ length: 9 }, (_, index) => (index + 1).toString(16).padStart(64, '0'));

interface Forgery {
  /** Determines the ids of batch, message and item that are not given. */
  readonly number?: number;
  readonly topics?: string[];
  readonly author?: string;
  readonly namespace?: string;
  readonly batchId?: string;
  readonly messageId?: string;
  readonly itemId?: string;
}

/** A batch of mallory that is valid apart from the forgery. */
export function forge(forgery: Forgery = {}): SealedBatch {
  return seal(forgery, {}, undefined);
}

interface PrivateForgery extends Forgery {
  readonly group: EnvelopeGroup;
  readonly nonces: number[];
  /** Replaces the group's hash. */
  readonly groupHash?: string;
}

/** A private batch of mallory that is valid apart from the forgery. */
export function forgePrivate({ group, groupHash, nonces, ...forgery }: PrivateForgery): SealedBatch {
  return seal(forgery, { type: 'private', group: groupHash ?? hashOf(group), tag: 'new_order' }, nonces);
}

function seal(
  { number = 1, topics = ['orders'], author = mallory.did, namespace = 'default', ...ids }: Forgery,
  header: Parameters<typeof aMessage>[0],
  nonces: number[] | undefined,
): SealedBatch {
  const { batchId = uuid(number + 1_000), messageId = uuid(number), itemId = uuid(number + 3_000) } = ids;
  const item = anItem({ id: itemId, value: `{"from":"mallory","number":${number}}` });
  const message = aMessage({ id: messageId, author, key: mallory.key, topics, namespace, ...header }, [item]);
  return sealBatch({
    id: batchId,
    namespace,
    node,
    author,
    key: mallory.key,
    transactionId: uuid(number + 2_000),
    created: '2026-01-15T10:00:00.000Z',
    messages: [{ ...message, ...(nonces !== undefined && { nonces }) }],
    data: [item],
  });
}

/** A group of organisations with their nodes. */
export function groupOf(names: readonly string[], name = ''): EnvelopeGroup {
  const members = names.map((each) => ({ identity: organizationDid(each), node: identityId(nodeDid(`${each}-node`)) }));
  return { namespace: 'default', name, members };
}

export function hashOf({ namespace, name, members }: EnvelopeGroup): string {
  return hashOfGroup(namespace, name, members);
}

/** The envelope of a private batch; `group` may be a wrong one. */
export function envelopeOf(payload: string, group: EnvelopeGroup): string {
  return write(BatchEnvelope, { version: 1, group, payload });
}

/** The envelope of an unpinned message of mallory. */
export function unpinnedOf(
  group: EnvelopeGroup,
  changes: Partial<MessageEnvelope> = {},
  header: Parameters<typeof aMessage>[0] = {},
): string {
  const item = anItem({ id: uuid(3_001), value: textOf({ from: 'mallory' }) });
  const { author, key, topics = ['orders'] } = { author: mallory.did, key: mallory.key, ...header };
  const message = aMessage(
    { id: uuid(1), ...header, type: 'private', txtype: 'none', author, key, topics, group: hashOf(group) },
    [item],
  );
  const tx = { type: 'none' as const, id: uuid(2_001) };
  const sealed = { header: message.header, hash: message.hash, data: [...message.data] };
  return write(MessageEnvelope, { version: 1, node, group, tx, message: sealed, data: [item], ...changes });
}

/** Sends an envelope to the node of a party; returns the answer. */
export function bring(end: DataExchange, network: Pipelines, to: string, envelope: string): Promise<PeerAnswer> {
  const index = network.parties.findIndex(({ name }) => name === to);
  const publicKeyHash = exchangeKeys[index] ?? '';
  return end.send({ endpoint: `https://${to}`, publicKeyHash }, envelope);
}

/** The parts of a batch that a pin needs. */
export type Pinnable = Pick<SealedBatch, 'id' | 'payload' | 'contexts'>;

interface PinChanges extends Partial<PinCall> {
  readonly signer?: string;
}

/** Stores a payload and pins it with its transaction id, by default with mallory's key. */
export async function pin(network: Pipelines, batch: Pinnable, changes: PinChanges = {}): Promise<Receipt> {
  const payloadRef = await network.store.put(new TextEncoder().encode(batch.payload));
  return pinPrivate(network, batch, { payloadRef, ...changes });
}

/** Pins a payload without storing it. */
export async function pinPrivate(
  { ledger }: Pipelines,
  { id, payload, contexts }: Pinnable,
  { signer = mallory.key, ...changes }: PinChanges = {},
): Promise<Receipt> {
  const transactionId = /"tx":\{"type":"batch_pin","id":"([^"]+)"/.exec(payload)?.[1] ?? uuid(9);
  const call = { transactionId, batchId: id, batchHash: sha256(payload), payloadRef: '', contexts, ...changes };
  return ledger.call(signer, { ...call, type: 'pin_batch' });
}

/** An item to forge. */
export interface Forged {
  readonly number: number;
  readonly header?: Partial<UnsealedHeader>;
  readonly value: unknown;
  readonly datatype?: { readonly name: string; readonly version: string };
  readonly blob?: Blob;
}

/** A batch of mallory with one message and one item, which is not validated. */
export function forgeItem({ number, header = {}, value, ...named }: Forged): SealedBatch {
  const described = { ...anItem({ id: uuid(number + 3_000), value: textOf(value) }), ...named };
  const item = { ...described, hash: hashOfItem(described) };
  const { did: author, key, node } = mallory;
  const message = aMessage({ id: uuid(number), author, key, ...header }, [item]);
  return sealBatch({
    id: uuid(number + 1_000),
    namespace: message.header.namespace,
    node,
    author,
    key,
    transactionId: uuid(number + 2_000),
    created: '2026-01-15T10:00:00.000Z',
    messages: [message],
    data: [item],
  });
}
