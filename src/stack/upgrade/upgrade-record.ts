import { rm } from 'node:fs/promises';
import { type Static, Type } from '@sinclair/typebox';
import { readJsonFile, writeJsonFile } from '../../supervisor/files/json-file.js';
import type { Layout } from '../layout.js';

/** An upgrade whose snapshot is saved, until the stack has started in the new form. */
const UpgradeRecord = Type.Object({
  version: Type.Literal(1),
  /** Null if none was requested. */
  snapshot: Type.Union([Type.String(), Type.Null()]),
  /** The oldest form before the upgrade. */
  from: Type.Integer({ minimum: 1 }),
  /** Whether the stack ran before. */
  wasRunning: Type.Boolean(),
});
export type UpgradeRecord = Static<typeof UpgradeRecord>;

/** The unfinished upgrade of a stack. */
export function readUpgrade(layout: Layout): Promise<UpgradeRecord | undefined> {
  return readJsonFile(layout.upgrade, UpgradeRecord);
}

/** Records that the snapshot of an upgrade is saved, before anything is migrated. */
export async function noteUpgrade(layout: Layout, record: UpgradeRecord): Promise<void> {
  await writeJsonFile(layout.upgrade, record);
}

/** Ends an upgrade, once the stack has started in the new form. */
export async function forgetUpgrade(layout: Layout): Promise<void> {
  await rm(layout.upgrade, { force: true });
}
