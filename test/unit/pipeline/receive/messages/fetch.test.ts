import { expect, it } from 'vitest';
import { createManualClock } from '../../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createDirectJudge } from '../../../../../src/adapters/judge/direct.js';
import { createSilentLog } from '../../../../../src/adapters/log/silent.js';
import { createSeededRandom } from '../../../../../src/adapters/random/seeded.js';
import { createMemoryStore } from '../../../../../src/adapters/shared-store/memory.js';
import { profileRulesOf } from '../../../../../src/domain/network/profile.js';
import { createRegistry } from '../../../../../src/pipeline/state/identities/registry.js';
import { createRulebook } from '../../../../../src/pipeline/state/rulebook.js';
import { createFetchBatch } from '../../../../../src/pipeline/receive/messages/fetch.js';
import { createNonceGaps } from '../../../../../src/pipeline/receive/messages/nonces.js';
import { StoreError } from '../../../../../src/ports/shared-store.js';
import { aBatch, anOperation } from '../../../../compliance/database/rows.js';

/** Downloads a batch from a store with this answer. */
async function download(answer: () => Promise<Uint8Array>) {
  const database = createMemoryDatabase();
  const batch = aBatch({ state: 'wanted', payloadRef: 'ref' });
  await database.transaction((unit) => unit.insert('batches', [batch]));
  const fetch = createFetchBatch({
    database,
    sharedStore: { ...createMemoryStore(), get: answer },
    registry: createRegistry(),
    nonceGaps: createNonceGaps(),
    rulebook: createRulebook(createManualClock()),
    judge: createDirectJudge(),
    namespaces: ['default'],
    clock: createManualClock(),
    random: createSeededRandom(1),
    profileRules: profileRulesOf(undefined),
    log: createSilentLog(),
    failpoint: { reach: () => Promise.resolve() },
    decider: { decideFew: () => Promise.resolve(() => Promise.resolve([])) },
    throttle: { run: (part) => part() },
  });
  const of = { batch: batch.id, batchHash: batch.hash, signer: batch.signer };
  const operation = { ...anOperation({ type: 'sharedstorage_download_batch', ...of }), sequence: 1 };
  return fetch(operation, AbortSignal.timeout(90_000));
}

it.each([
  ['is unavailable if the store does not have it', 'not_found', 'unavailable'],
  ['is unavailable if it does not arrive in time', 'later', 'unavailable'],
  ['is unavailable if it is too large', 'too_large', 'unavailable'],
  ['is unreachable if the store is unreachable', 'unreachable', 'unreachable'],
] as const)('a payload %s', async (_, reason, status) => {
  const answer = await download(() => Promise.reject(new StoreError(reason, 'not now')));
  expect(answer).toEqual({ status, error: 'not now' });
});

it('a payload is unavailable if its bytes have another hash', async () => {
  expect(await download(async () => Buffer.from('other bytes'))).toMatchObject({ status: 'unavailable' });
});
