import { rm } from 'node:fs/promises';
import { type Static, Type } from '@sinclair/typebox';
import { readJsonFile, writeJsonFile } from '../../supervisor/files/json-file.js';
import type { Layout } from '../layout.js';

/** An upgrade whose snapshot is saved, until the stack has started in the new form. */
const UpgradeRecord = Type.Object({
  version: Type.Literal(1),
  /** Null where none was asked for. */
  snapshot: Type.Union([Type.String(), Type.Null()]),
  /** The oldest form that it began with. */
  from: Type.Integer({ minimum: 1 }),
  /** Whether the stack ran before. */
  wasRunning: Type.Boolean(),
});
export type UpgradeRecord = Static<typeof UpgradeRecord>;

/** The upgrade of a stack that has begun and not ended. */
export function readUpgrade(layout: Layout): Promise<UpgradeRecord | undefined> {
  return readJsonFile(layout.upgrade, UpgradeRecord);
}

/** Records that the snapshot of an upgrade is saved, before anything is migrated. */
export async function noteUpgrade(layout: Layout, record: UpgradeRecord): Promise<void> {
  await writeJsonFile(layout.upgrade, record);
}

/** Ends an upgrade: the state has the new form, and works. */
export async function forgetUpgrade(layout: Layout): Promise<void> {
  await rm(layout.upgrade, { force: true });
}
