import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { createMemoryDatabase } from '../../../../src/adapters/database/memory/memory.js';
import { createAccess } from '../../../../src/node/requests/access.js';
import { createPoolRights } from '../../../../src/node/tokens/pool-rights.js';
import type { NewRow } from '../../../../src/ports/tables/tables.js';
import { codeOfAsync } from '../../../support/codes.js';
import { uuid } from '../../../support/fixtures.js';
import { aPool } from '../../pipeline/accept/tokens/a-token-scene.js';

const request = new IncomingMessage(new Socket());
const mine = aPool(1, { namespace: 'blue' });
const hidden = { namespace: 'default', id: uuid(7), name: 'hidden', networkName: 'hidden' };

/** Returns the answer to a credential for the namespace blue that moves tokens of its pool. */
async function answer(others: readonly NewRow<'pools'>[], grants: readonly string[] = [], pool = mine) {
  const database = createMemoryDatabase();
  await database.transaction((unit) => unit.insert('pools', [pool, ...others]));
  const access = createAccess({
    namespaces: ['default', 'blue', 'green'],
    fallback: 'default',
    authentication: {
      callerOf: () => ({ name: 'ci', namespaces: ['blue', 'green'], grants }),
      callerNamed: () => undefined,
    },
  });
  return codeOfAsync(() => createPoolRights({ database, access })(request)({ ...pool, sequence: 1 }));
}

it('a credential for a namespace moves tokens of its pools', async () => {
  expect(await answer([])).toBe(undefined);
  expect(await answer([aPool(2, hidden)])).toBe(undefined);
  expect(await answer([aPool(1, { ...hidden, namespace: 'green' })])).toBe(undefined);
});

it('but not of a pool that also exists in another namespace, since anyone may define it twice', async () => {
  expect(await answer([aPool(1, hidden)])).toBe('FF00170');
  expect(await answer([aPool(1, hidden)], ['invoke'])).toBe('FF00170');
  expect(await answer([aPool(1, hidden)], ['tokens'])).toBe(undefined);
});

it('nor of a pool whose definition determines the called methods', async () => {
  const chosen = aPool(1, { namespace: 'blue', methods: '{}' as NonNullable<typeof mine.methods> });
  expect(await answer([], [], chosen)).toBe('FF00170');
  expect(await answer([], ['tokens'], chosen)).toBe(undefined);
});
