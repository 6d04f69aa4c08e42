import { expect, test } from 'vitest';
import { createManualClock } from '../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../src/adapters/database/memory/memory.js';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import { systemNamespace } from '../../../../src/domain/network/identity.js';
import { createChanges } from '../../../../src/node/stream/changes.js';
import { createBus } from '../../../../src/pipeline/bus.js';
import type { NewRow } from '../../../../src/ports/tables/tables.js';
import { aMessage } from '../../../compliance/database/rows.js';

const namespaces = ['default', 'trade', systemNamespace];
const definitionFor = (namespace: string): Partial<NewRow<'messages'>> => ({
  namespace: systemNamespace,
  type: 'definition',
  topics: [`svc_ns_${namespace}`],
});

test('clients are notified once of pending messages and definitions in namespaces that show them', async () => {
  const [bus, database, clock] = [createBus(), createMemoryDatabase(), createManualClock()];
  const changes = createChanges({ bus, database, clock, log: createSilentLog() });
  const told: string[] = [];
  for (const namespace of namespaces) changes.watch(namespace, () => told.push(namespace));
  const expectTold = async (rows: readonly Partial<NewRow<'messages'>>[], expected: readonly string[]) => {
    told.length = 0;
    const messages = rows.map((row) => aMessage({ hash: crypto.randomUUID(), ...row }));
    await database.transaction((unit) => unit.insert('messages', messages));
    bus.ring('messages');
    const toldLater = async () => {
      await clock.advance(1_000);
      return told;
    };
    await expect.poll(toldLater).toEqual(expected);
  };
  expect(told).toEqual(namespaces);
  await expectTold([{ namespace: 'trade' }], ['trade']);
  await expectTold([definitionFor('trade')], ['trade', systemNamespace]);
  await expectTold([definitionFor('default'), { namespace: 'default' }], ['default', systemNamespace]);
  await expectTold([{ namespace: 'default' }, definitionFor('default')], ['default', systemNamespace]);
  await expectTold([{ namespace: 'trade' }], ['trade']);
  await changes.stop();
});
