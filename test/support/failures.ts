import { newOperation } from '../../src/pipeline/operations/operation.js';
import type { Database } from '../../src/ports/database.js';
import type { NewRow } from '../../src/ports/tables/tables.js';
import { uuid } from './fixtures.js';

/** Failures at a node. Each is returned only once, because it can be repaired only once. */
export interface Failures {
  /** Returns the id of a batch whose pin has failed. */
  batch(): string;
  /** Returns the id of a failed operation. */
  operation(): string;
}

const created = '2026-01-15T10:00:00.000Z';
const failed = { status: 'Failed', error: 'The chain reverted the pin: Refused()' } as const;

/**
 * Inserts failures into a node's rows: batches of a key with nothing else to seal, and envelopes for a node that does
 * not exist.
 */
export async function putFailures(database: Database, signer: string, count = 20): Promise<Failures> {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  await database.transaction(async (unit) => {
    await unit.insert(
      'batches',
      numbers.map((number) => failedBatch(number, signer)),
    );
    await unit.insert(
      'operations',
      numbers.flatMap((number) => failedOperations(number, signer)),
    );
  });
  const [batches, operations] = [[...numbers], [...numbers]];
  return { batch: () => uuid(100_000 + next(batches)), operation: () => uuid(300_000 + next(operations)) };
}

function next(numbers: number[]): number {
  const number = numbers.shift();
  if (number === undefined) throw new Error('All failures were handed out');
  return number;
}

function hashOf(number: number): string {
  return number.toString(16).padStart(64, 'f');
}

function failedBatch(number: number, signer: string): NewRow<'batches'> {
  return {
    namespace: 'default',
    id: uuid(100_000 + number),
    hash: hashOf(number),
    signer,
    author: 'did:parley:nobody',
    node: null,
    type: 'private',
    group: null,
    txid: uuid(200_000 + number),
    created,
    payloadRef: '',
    manifest: [],
    state: 'sealed',
    reason: null,
    confirmed: null,
  };
}

function failedOperations(number: number, signer: string): NewRow<'operations'>[] {
  const subject = { namespace: 'default', tx: uuid(200_000 + number), batch: uuid(100_000 + number), signer };
  const pin = newOperation({
    id: uuid(400_000 + number),
    type: 'blockchain_pin_batch',
    lane: `key:${signer}`,
    created,
    subject: { ...subject, batchHash: hashOf(number) },
  });
  const envelope = newOperation({
    id: uuid(300_000 + number),
    type: 'dataexchange_send_batch',
    lane: `peer:${uuid(0)}`,
    created,
    subject: { ...subject, batchHash: hashOf(number) },
    input: { peer: uuid(0) },
  });
  return [pin, envelope].map((operation) => ({ ...operation, ...failed }));
}
