import { join } from 'node:path';
import sqlite from 'sqlite3';
import { expect, test } from 'vitest';
import { databaseForm } from '../../../../src/ports/database-form.js';
import type { Stack } from '../../../../src/stack/places/locate.js';
import { restoreSnapshot } from '../../../../src/stack/snapshot/restoring/restore.js';
import { saveSnapshot } from '../../../../src/stack/snapshot/saving/save.js';
import { readForms, requireOwnForm } from '../../../../src/stack/upgrade/state-form.js';
import { upgradeStack } from '../../../../src/stack/upgrade/upgrade.js';
import { aNetwork } from '../snapshot/a-network.js';

/** A network whose databases have these forms, by party. */
async function aNetworkOf(forms: Readonly<Record<string, number>>): Promise<Stack> {
  const stack = await aNetwork();
  for (const [party, form] of Object.entries(forms)) {
    const database = new sqlite.Database(join(stack.layout.data, 'nodes', party, 'db.sqlite3'));
    const sql = `create table "migrations" ("number" integer); insert into "migrations" values (${form})`;
    await new Promise<void>((resolve, reject) => {
      database.exec(sql, (error) => (error === null ? resolve() : reject(error)));
    });
    await new Promise<void>((resolve) => database.close(() => resolve()));
  }
  return stack;
}

test('refuses a state with an older database, unless it is for an upgrade', async () => {
  const stack = await aNetworkOf({ alice: databaseForm, bob: databaseForm - 1 });
  await expect(requireOwnForm(stack)).rejects.toMatchObject({
    code: 'STATE_OLDER',
    exitCode: 10,
    details: { forms: { alice: databaseForm, bob: databaseForm - 1 } },
  });
  await requireOwnForm(stack, { mayBeOlder: true });
  const dry = await upgradeStack(stack, { dryRun: true });
  expect(dry).toMatchObject({ from: databaseForm - 1, to: databaseForm, upgraded: false, snapshot: null });
});

test('refuses a state of a newer version, also in an upgrade', async () => {
  const stack = await aNetworkOf({ alice: databaseForm + 1, bob: databaseForm });
  const refused = { code: 'STATE_NEWER', exitCode: 10 };
  await expect(requireOwnForm(stack)).rejects.toMatchObject(refused);
  await expect(upgradeStack(stack)).rejects.toMatchObject(refused);
});

test('upgrades nothing in a state of this version or without a version', async () => {
  for (const stack of [await aNetwork(), await aNetworkOf({ alice: databaseForm, bob: databaseForm })]) {
    await requireOwnForm(stack);
    expect(await upgradeStack(stack)).toMatchObject({ from: databaseForm, upgraded: false });
  }
});

test('restores a snapshot of an older form without a start', async () => {
  const stack = await aNetworkOf({ alice: databaseForm - 1, bob: databaseForm - 1 });
  expect((await saveSnapshot(stack, 'older')).manifest.databaseForm).toBe(databaseForm - 1);
  let starts = 0;
  const services = {
    find: () => Promise.resolve({ status: () => Promise.resolve({ services: [] }), service: () => Promise.resolve() }),
    start: () => Promise.reject(new Error(`start ${(starts += 1)}`)),
  };
  expect(await restoreSnapshot(stack, 'older', {}, services)).toMatchObject({ start: null });
  expect(starts).toBe(0);
  expect(await readForms(stack)).toEqual({ alice: databaseForm - 1, bob: databaseForm - 1 });
});
