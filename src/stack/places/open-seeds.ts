import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { Identity, identify, isAlive } from '../../supervisor/machine/identity.js';
import { readJsonFile, writeJsonFile } from '../../supervisor/files/json-file.js';
import type { Layout } from '../layout.js';

type Place = Pick<Layout, 'openSeeds'>;

/** Notes that this process applies the seeds of a stack, until `seedsApplied`. */
export async function beginSeeds({ openSeeds }: Place): Promise<void> {
  const by = await identify(process.pid);
  assert(by !== undefined, 'the running process can be identified');
  await writeJsonFile(openSeeds, by);
}

export async function seedsApplied({ openSeeds }: Place): Promise<void> {
  await rm(openSeeds, { force: true });
}

/** Whether a start has begun to apply seeds but not applied all: a seed failed, or the start was killed. */
export async function hasOpenSeeds({ openSeeds }: Place): Promise<boolean> {
  const by = await readJsonFile(openSeeds, Identity);
  return by !== undefined && !(await isAlive(by));
}
