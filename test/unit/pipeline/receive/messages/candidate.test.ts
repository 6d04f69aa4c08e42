import { expect, test } from 'vitest';
import { createManualClock } from '../../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { maxCandidates } from '../../../../../src/domain/network/limits.js';
import { systemNamespace } from '../../../../../src/domain/network/identity.js';
import { keepCandidate } from '../../../../../src/pipeline/receive/messages/candidate.js';
import type { Unit } from '../../../../../src/ports/database.js';
import type { NewRow } from '../../../../../src/ports/tables/tables.js';
import { alice, uuid } from '../../../../support/fixtures.js';

const created = '2026-01-15T10:00:00.000Z';
const peer = 'node of alice';
const registry = { nodeIdOf: (_: unknown, did: string) => Promise.resolve(did === alice.did ? peer : 'another') };
const group = { namespace: 'default', name: '', members: [] };
const payload = { hash: 'new', text: '{}', examined: { status: 'void', reason: 'no batch' }, group, peer } as const;

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

/** Refuses to read the rows of more than a hundred batches or candidates at a time. */
function withoutLongReads(unit: Unit): Unit {
  return {
    ...unit,
    async rows(table, where, options) {
      const rows = await unit.rows(table, where, options);
      if (rows.length > 100) throw new Error(`${rows.length} rows of ${table} are read at once`);
      return rows;
    },
  };
}

/** Adds a candidate at a node that has the maximum number of the peer, of which these batches are pinned. */
async function addCandidate(batches: readonly NewRow<'batches'>[]) {
  const database = createMemoryDatabase();
  const isKept = await database.transaction(async (unit) => {
    const hashes = Array.from({ length: maxCandidates }, (_, index) => String(index));
    await unit.insert('candidates', hashes.map(aCandidate));
    await unit.insert(
      'payloads',
      hashes.map((hash) => ({ namespace: systemNamespace, hash, text: '{}' })),
    );
    await unit.insert('batches', batches);
    return keepCandidate(withoutLongReads(unit), payload, { clock: createManualClock(), registry });
  });
  const [candidates, payloads] = [await database.count('candidates', {}), await database.count('payloads', {})];
  return { isKept, candidates, payloads };
}

test('refuses a candidate of a peer whose maximum number waits for pins', async () => {
  const full = { isKept: false, candidates: maxCandidates, payloads: maxCandidates };
  expect(await addCandidate([])).toEqual(full);
  expect(await addCandidate([aBatch('3', alice.did, 'wanted')])).toEqual(full);
});

test('removes candidates of void batches to accept another', async () => {
  const kept = { isKept: true, candidates: maxCandidates - 1, payloads: maxCandidates - 1 };
  expect(await addCandidate([aBatch('3', alice.did, 'void'), aBatch('4', alice.did, 'void')])).toEqual(kept);
});

test('removes the candidate of a batch that was pinned under very many ids', async () => {
  const batches = Array.from({ length: 300 }, (_, index) => ({ ...aBatch('3', alice.did, 'void'), id: uuid(index) }));
  const kept = { isKept: true, candidates: maxCandidates, payloads: maxCandidates };
  expect(await addCandidate(batches)).toEqual(kept);
});

test('keeps a candidate whose hash is void only in a batch of another member', async () => {
  expect(await addCandidate([aBatch('3', 'did:parley:org/mallory', 'void')])).toMatchObject({ isKept: false });
});
