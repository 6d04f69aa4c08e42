import { expect, test } from 'vitest';
import { createManualClock } from '../../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createSeededRandom } from '../../../../../src/adapters/random/seeded.js';
import { completeParts } from '../../../../../src/domain/contracts/ffi.js';
import { createApiAcceptance } from '../../../../../src/pipeline/accept/contracts/api.js';
import { createBus } from '../../../../../src/pipeline/bus.js';
import { writeParts } from '../../../../../src/pipeline/records/contracts.js';
import type { Database } from '../../../../../src/ports/database.js';
import type { NewRow } from '../../../../../src/ports/tables/tables.js';
import { codeOfAsync } from '../../../../support/codes.js';
import { uuid } from '../../../../support/fixtures.js';

const namespace = 'default';

/** Creates the acceptance of APIs, with a hook that runs between the check of a request and its unit. */
function aScene() {
  const memory = createMemoryDatabase();
  let beforeUnit: () => Promise<unknown> = () => Promise.resolve();
  const database: Database = {
    ...memory,
    transaction: async (work) => {
      const first = beforeUnit;
      beforeUnit = () => Promise.resolve();
      await first();
      return memory.transaction(work);
    },
  };
  const own = { organization: 'alice', did: 'did:parley:org/alice', key: '0x', keys: [] };
  const accept = createApiAcceptance({
    database,
    bus: createBus(),
    clock: createManualClock(),
    random: createSeededRandom(1),
    own,
    prepareDefinition: () => Promise.reject(new Error('Nothing is published.')),
  });
  return {
    accept,
    define: (id: string) => memory.transaction((unit) => unit.insert('interfaces', [anInterface(id)])),
    apis: () => memory.rows('apis', { namespace }, { limit: 9 }),
    beforeNextUnitRemove: (id: string) => {
      beforeUnit = () => memory.transaction((unit) => unit.remove('interfaces', { namespace, id }));
    },
  };
}

function anInterface(id: string): NewRow<'interfaces'> {
  const parts = writeParts(completeParts({ methods: [], events: [], errors: [] }));
  const shared = { message: null, networkName: null, published: false, pin: null };
  return { namespace, id, name: `box-${id}`, description: '', version: '1', ...parts, ...shared };
}

test('refuses to create an API whose interface was deleted after the request was checked', async () => {
  const { accept, define, apis, beforeNextUnitRemove } = aScene();
  await define(uuid(1));
  const request = { name: 'box', interface: { id: uuid(1) } };
  beforeNextUnitRemove(uuid(1));
  expect(await codeOfAsync(() => accept.acceptApi(namespace, request, false))).toBe('FF10303');
  expect(await apis()).toEqual([]);
});

test('refuses to change an API to an interface that was deleted after the request was checked', async () => {
  const { accept, define, apis, beforeNextUnitRemove } = aScene();
  for (const id of [uuid(1), uuid(2)]) await define(id);
  const { record } = await accept.acceptApi(namespace, { name: 'box', interface: { id: uuid(1) } }, false);
  beforeNextUnitRemove(uuid(2));
  const request = { name: 'box', interface: { id: uuid(2) } };
  expect(await codeOfAsync(() => accept.changeApi(namespace, record.id, request))).toBe('FF10303');
  expect(await apis()).toMatchObject([{ interface: uuid(1) }]);
});
