import { type BatchContent, sealBatch, type SealedBatch } from '../../src/domain/messages/batch.js';
import type { PinnedFacts } from '../../src/domain/messages/verify.js';
import { hashOfItem } from '../../src/domain/hash.js';
import { type SealedMessage, sealMessage, type UnsealedHeader } from '../../src/domain/messages/message.js';
import type { PayloadData } from '../../src/wire/messages/batch.js';
import { compact } from '../../src/wire/json/json-reader.js';

/** The parties and records of the design's examples. */
export const alice = {
  did: 'did:parley:org/alice',
  key: '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf',
  node: '77e9474b-8692-86e7-89a6-23438b369acf',
} as const;

/** Returns the n-th of a series of distinct UUIDs. */
export function uuid(n: number): string {
  return `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
}

export function anItem(overrides: { readonly id?: string; readonly value?: string } = {}): PayloadData {
  const value = compact(overrides.value ?? '{"order":17,"sku":"A-1","price":1.50}');
  return {
    id: overrides.id ?? '3d5b8a52-2c1f-4b7e-9f60-1b0a4d7c9e11',
    validator: 'json',
    hash: hashOfItem({ value }),
    created: '2026-01-15T10:00:00.118Z',
    value,
  };
}

export function aMessage(
  overrides: Partial<UnsealedHeader> = {},
  items: readonly PayloadData[] = [anItem()],
): SealedMessage {
  const header: UnsealedHeader = {
    id: '9b1f6c2e-7a34-4d0b-8a55-2f9c3e6d7a01',
    type: 'broadcast',
    txtype: 'batch_pin',
    author: alice.did,
    key: alice.key,
    created: '2026-01-15T10:00:00.120Z',
    namespace: 'default',
    topics: ['orders'],
    tag: 'new_order',
    ...overrides,
  };
  return sealMessage(
    header,
    items.map(({ id, hash }) => ({ id, hash })),
  );
}

export function aContent(overrides: Partial<BatchContent> = {}): BatchContent {
  return {
    id: '5e8d2f10-9a4b-4c3d-8e7f-6a5b4c3d2e10',
    namespace: 'default',
    node: alice.node,
    author: alice.did,
    key: alice.key,
    transactionId: 'c0a7e1d4-5b62-4f3a-9c8d-7e6f5a4b3c21',
    created: '2026-01-15T10:00:00.124Z',
    messages: [aMessage()],
    data: [anItem()],
    ...overrides,
  };
}

/** The facts about a batch from an honest pin. */
export function factsOf(content: BatchContent, batch: SealedBatch = sealBatch(content)): PinnedFacts {
  return {
    id: content.id,
    transactionId: content.transactionId,
    signer: content.key,
    identity: content.author,
    node: content.node,
    contexts: batch.contexts,
    type: content.messages.some(({ header }) => header.group !== undefined) ? 'private' : 'broadcast',
  };
}
