import { expect, test } from 'vitest';
import { migrations } from '../../../../src/adapters/database/migrate.js';
import { databaseForm } from '../../../../src/ports/database-form.js';

test('The documented form of a database is that of the last migration', () => {
  expect(databaseForm).toBe(migrations.at(-1)?.number);
});
