import { sealBatch, type SealedBatch } from '../../src/domain/batch.js';
import { sha256 } from '../../src/domain/hash.js';
import { identityId, nodeDid, organizationDid } from '../../src/domain/identity.js';
import type { PinCall, Receipt } from '../../src/ports/blockchain.js';
import { aMessage, anItem, uuid } from './fixtures.js';
import type { Pipelines } from './pipelines.js';

const organization = 'mallory';
const node = `${organization}-node`;

/** A member that has no node: whoever holds its key pins what it likes. */
export const mallory = { key: `0x${'bad'.padStart(40, '0')}`, did: organizationDid(organization) } as const;

/** Makes mallory a member of the network. */
export async function registerMallory({ ledger, settle }: Pipelines): Promise<void> {
  ledger.addMember({ organization, key: mallory.key, node, endpoint: '', publicKeyHash: 'b'.repeat(64) });
  await settle();
}

interface Forgery {
  /** Makes the ids of batch, message and item, where these are not given. */
  readonly number?: number;
  readonly topics?: string[];
  readonly author?: string;
  readonly namespace?: string;
  readonly batchId?: string;
  readonly messageId?: string;
  readonly itemId?: string;
}

/** A batch of mallory that is valid as far as the forgery leaves it so. */
export function forge(forgery: Forgery = {}): SealedBatch {
  const { number = 1, topics = ['orders'], author = mallory.did, namespace = 'default', ...ids } = forgery;
  const { batchId = uuid(number + 1_000), messageId = uuid(number), itemId = uuid(number + 3_000) } = ids;
  const item = anItem({ id: itemId, value: `{"from":"mallory","number":${number}}` });
  return sealBatch({
    id: batchId,
    namespace,
    node: identityId(nodeDid(node)),
    author,
    key: mallory.key,
    transactionId: uuid(number + 2_000),
    created: '2026-01-15T10:00:00.000Z',
    messages: [aMessage({ id: messageId, author, key: mallory.key, topics, namespace }, [item])],
    data: [item],
  });
}

/** What is pinned of a batch. */
export type Pinnable = Pick<SealedBatch, 'id' | 'payload' | 'contexts'>;

/** Stores a payload and pins it, with the transaction id that stands in it, with the key of mallory or another. */
export async function pin(
  { ledger, store }: Pipelines,
  { id, payload, contexts }: Pinnable,
  { signer = mallory.key, ...changes }: Partial<PinCall> & { readonly signer?: string } = {},
): Promise<Receipt> {
  const payloadRef = await store.put(new TextEncoder().encode(payload));
  const transactionId = /"tx":\{"type":"batch_pin","id":"([^"]+)"/.exec(payload)?.[1] ?? uuid(9);
  const call = { transactionId, batchId: id, batchHash: sha256(payload), payloadRef, contexts, ...changes };
  return ledger.call(signer, { ...call, type: 'pin_batch' });
}
