import { expect, test } from 'vitest';
import { createManualClock } from '../../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { maxCandidates } from '../../../../../src/domain/network/limits.js';
import { systemNamespace } from '../../../../../src/domain/network/identity.js';
import { keepCandidate } from '../../../../../src/pipeline/receive/messages/candidate.js';
import type { NewRow } from '../../../../../src/ports/tables/tables.js';
import { alice, uuid } from '../../../../support/fixtures.js';

const created = '2026-01-15T10:00:00.000Z';
const peer = 'node of alice';
const registry = { nodeIdOf: (_: unknown, did: string) => Promise.resolve(did === alice.did ? peer : 'another') };
const group = { namespace: 'default', name: '', members: [] };
const brought = { hash: 'new', text: '{}', examined: { status: 'void', reason: 'no batch' }, group, peer } as const;

function aCandidate(hash: string): NewRow<'candidates'> {
  const place = { batch: '', group: '', groupName: '', groupNamespace: 'default', members: [] };
  return { namespace: systemNamespace, hash, peer, ...place, sizeBytes: 2, created };
}

function aBatch(hash: string, author: string, state: 'void' | 'wanted'): NewRow<'batches'> {
  return {
    namespace: 'default',
    id: uuid(Number(hash)),
    hash,
    signer: alice.key,
    author,
    node: null,
    type: 'private',
    group: null,
    txid: uuid(1),
    created,
    payloadRef: '',
    manifest: null,
    state,
    reason: null,
    confirmed: created,
  };
}

/** Brings a batch to a node that has as many of the peer as it keeps, of which these are pinned. */
async function bring(batches: readonly NewRow<'batches'>[]) {
  const database = createMemoryDatabase();
  const isKept = await database.transaction(async (unit) => {
    const hashes = Array.from({ length: maxCandidates }, (_, index) => String(index));
    await unit.insert('candidates', hashes.map(aCandidate));
    await unit.insert(
      'payloads',
      hashes.map((hash) => ({ namespace: systemNamespace, hash, text: '{}' })),
    );
    await unit.insert('batches', batches);
    return keepCandidate(unit, brought, { clock: createManualClock(), registry });
  });
  const [candidates, payloads] = [await database.count('candidates', {}), await database.count('payloads', {})];
  return { isKept, candidates, payloads };
}

test('a peer whose room is full must wait while its batches wait for their pins', async () => {
  const full = { isKept: false, candidates: maxCandidates, payloads: maxCandidates };
  expect(await bring([])).toEqual(full);
  expect(await bring([aBatch('3', alice.did, 'wanted')])).toEqual(full);
});

test('void batches, kept for a reorganisation, make room for what waits for its pin', async () => {
  const kept = { isKept: true, candidates: maxCandidates - 1, payloads: maxCandidates - 1 };
  expect(await bring([aBatch('3', alice.did, 'void'), aBatch('4', alice.did, 'void')])).toEqual(kept);
});

test('a batch that somebody else has pinned in vain waits on for the pin of its peer', async () => {
  expect(await bring([aBatch('3', 'did:parley:org/mallory', 'void')])).toMatchObject({ isKept: false });
});
