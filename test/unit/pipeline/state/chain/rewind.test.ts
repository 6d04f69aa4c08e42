import { expect, it } from 'vitest';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createBus } from '../../../../../src/pipeline/bus.js';
import { rewindPins } from '../../../../../src/pipeline/state/chain/rewind.js';
import { aPin, all, pluck } from '../../../../compliance/database/rows.js';

it('a rewind marks exactly the contexts as due that have an expected unspent pin from its position on', async () => {
  const database = createMemoryDatabase();
  const bus = createBus();
  const listener = bus.listen('due');
  const masked = { masked: true, context: 'pin of bob' };
  const pins = [
    aPin({ context: 'before', index: 0 }),
    aPin({ context: 'spent', index: 1, spent: true }),
    aPin({ context: 'waiting', index: 2 }),
    aPin({ context: 'waiting', index: 3 }),
    aPin({ ...masked, index: 4 }),
    aPin({ masked: true, context: 'pin ahead of its turn', index: 5 }),
  ];
  const next = { namespace: 'default', topic: 'orders', group: 'g', nonce: 0 };
  await database.transaction(async (unit) => {
    await unit.insert('pins', pins);
    await unit.insert('nextpins', [
      { ...next, context: 'context of bob', identity: 'did:parley:org/bob', hash: masked.context },
      { ...next, context: 'another context', identity: 'did:parley:org/bob', hash: 'another pin' },
    ]);
  });
  await rewindPins(database, bus, { sequence: 2 });
  const due = await database.rows('due', {}, all);
  expect(pluck(due, 'context').sort()).toEqual(['context of bob', 'waiting']);
  await listener.wait();
  expect(await database.count('pins', {})).toBe(pins.length);
});
