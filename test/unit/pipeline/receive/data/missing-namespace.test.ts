import { expect, it } from 'vitest';
import { createManualClock } from '../../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createMemoryFiles } from '../../../../../src/adapters/files/memory.js';
import { createSilentLog } from '../../../../../src/adapters/log/silent.js';
import { createSeededRandom } from '../../../../../src/adapters/random/seeded.js';
import { createMemoryStore } from '../../../../../src/adapters/shared-store/memory.js';
import { systemNamespace } from '../../../../../src/domain/network/identity.js';
import { createBlobs } from '../../../../../src/pipeline/blobs/blobs.js';
import { createIncoming } from '../../../../../src/pipeline/blobs/incoming.js';
import { createBus } from '../../../../../src/pipeline/bus.js';
import { createBlobReceiver } from '../../../../../src/pipeline/receive/data/blob.js';
import type { Database } from '../../../../../src/ports/database.js';
import { aBatch } from '../../../../compliance/database/rows.js';
import { register } from '../../../../support/registry.js';

const created = '2026-01-15T10:00:00.000Z';
const alice = '1'.padStart(64, '0');

/** Returns the answer to alice's offer of a file for a batch that these organisations have pinned. */
async function answered(batches: readonly { readonly of: string; readonly state: 'void' | 'wanted' | 'held' }[]) {
  const database = createMemoryDatabase();
  await register(database, ['alice', 'bob']);
  const peer = (await database.first('identities', { publicKeyHash: alice, type: 'node' }))?.id ?? '';
  const group = { group: '', groupName: '', groupNamespace: 'trade', members: [] };
  const candidate = { namespace: systemNamespace, hash: 'batch', peer, batch: '', ...group, sizeBytes: 1, created };
  await database.transaction(async (unit) => {
    await unit.put('candidates', [candidate]);
    await unit.insert(
      'batches',
      batches.map(({ of, state }, index) =>
        aBatch({ id: `${index}`, hash: 'batch', type: 'private', author: `did:parley:org/${of}`, signer: of, state }),
      ),
    );
  });
  const [files, failpoint] = [createMemoryFiles(), { reach: () => Promise.resolve() }];
  const parts = { clock: createManualClock(), random: createSeededRandom(1), log: createSilentLog(), bus: createBus() };
  const blobs = createBlobs({ database, files, failpoint, ...parts });
  const incoming = createIncoming({ files, blobs, failpoint, ...parts, limits: { minFreeBytes: 0 } });
  const own = { namespaces: ['default', systemNamespace], onPeer: () => undefined };
  const rows: Database['rows'] = (table, where, options) => {
    expect(table, 'batches of one hash are not listed, since there may be very many').not.toBe('batches');
    return database.rows(table, where, options);
  };
  const store = { database: { ...database, rows }, blobs, incoming, sharedStore: createMemoryStore(), failpoint };
  const { offerBlob } = createBlobReceiver({ ...parts, ...store, ...own });
  return (await offerBlob(alice, { hash: 'file', sizeBytes: 1, source: 'batch' })).status;
}

it('refuses the files of a batch that is void because this node does not have its namespace', async () => {
  expect(await answered([{ of: 'alice', state: 'void' }])).toBe('refused');
});

it.each([
  ['whose pin is not here', []],
  ['that is not judged yet', [{ of: 'alice', state: 'wanted' }]],
  [
    'of which only one pin is void',
    [
      { of: 'alice', state: 'void' },
      { of: 'alice', state: 'wanted' },
    ],
  ],
  ['whose hash another member has pinned', [{ of: 'bob', state: 'void' }]],
] as const)('does not refuse those of a batch %s', async (_, batches) => {
  expect(await answered(batches)).toBe('later');
});
