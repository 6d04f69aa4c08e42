import { expect, it } from 'vitest';
import { createMemoryDatabase } from '../../../../src/adapters/database/memory/memory.js';
import { subPaths } from '../../../../src/node/data/sub-paths.js';
import { newData } from '../../../../src/pipeline/state/data/data-row.js';
import { uuid } from '../../../support/fixtures.js';

it('finds the directories of items of earlier versions, whose paths have no leading slash', async () => {
  const database = createMemoryDatabase();
  const hash = 'b'.repeat(64);
  const rows = ['reports/2025', '/reports/2026', 'images', '/'].map((path, index) => {
    const blob = { hash, size: 5, path };
    return newData('default', { id: uuid(index), hash, validator: 'json', created: '2026-01-15T10:00:00.000Z', blob });
  });
  await database.transaction((unit) => unit.insert('data', rows));
  expect(await subPaths(database, 'default', '/')).toEqual(['/images', '/reports/2025', '/reports/2026']);
  expect(await subPaths(database, 'default', 'reports')).toEqual(['/reports/2025', '/reports/2026']);
  expect(await subPaths(database, 'default', 'report')).toEqual([]);
});
