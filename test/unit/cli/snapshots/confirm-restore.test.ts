import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { restoreOne } from '../../../../src/cli/snapshots/restore.js';
import { removeOne } from '../../../../src/cli/snapshots/snapshots.js';
import { resetOne } from '../../../../src/cli/stack/ending/ending.js';
import { startOne } from '../../../../src/cli/stack/starting/start.js';
import { placeFrom } from '../../../../src/stack/layout.js';
import { saveSnapshot } from '../../../../src/stack/snapshot/saving/save.js';
import { aNetwork } from '../../stack/snapshot/a-network.js';
import { memoryOutput } from '../memory-output.js';

const folder = mkdtempSync(join(tmpdir(), 'parley-restore-'));
const environment = { STACK_HOME: folder, XDG_RUNTIME_DIR: folder };
const context = { output: memoryOutput().output, environment, program: 'stack' };

beforeAll(async () => {
  const stack = await aNetwork('dev', placeFrom(environment));
  await saveSnapshot(stack, 'before');
  mkdirSync(join(stack.layout.snapshots, 'torn'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const flags = {
  stack: 'dev' as const,
  yes: false,
  'no-input': true,
  timeout: '30s',
  progress: 'none' as const,
  'no-restart': true,
  'dry-run': false,
  'no-wait': false,
  fresh: false,
  'reassign-ports': false,
  'no-hooks': false,
  foreground: false,
  smoke: false,
  open: false,
};

it('snapshot remove asks for no confirmation if there is no such snapshot', async () => {
  await expect(removeOne('befor', flags, context)).rejects.toMatchObject({ code: 'SNAPSHOT_NOT_FOUND' });
  await expect(removeOne('before', flags, context)).rejects.toMatchObject({ code: 'USAGE' });
});

describe.each([
  ['snapshot restore', (name: string) => restoreOne(name, flags, context)],
  ['reset --to', (name: string) => resetOne({ ...flags, to: name }, context)],
  ['start --from-snapshot', (name: string) => startOne({ ...flags, 'from-snapshot': name }, context)],
])('%s', (_, restore) => {
  it('asks for no confirmation if there is no such snapshot', async () => {
    await expect(restore('befor')).rejects.toMatchObject({ code: 'SNAPSHOT_NOT_FOUND' });
  });

  it('asks for none if it cannot be used', async () => {
    await expect(restore('torn')).rejects.toMatchObject({ code: 'SNAPSHOT_INVALID' });
  });

  it('asks for it if there is one', async () => {
    await expect(restore('before')).rejects.toMatchObject({
      code: 'USAGE',
      message: 'Everything that dev has recorded since the snapshot before will be deleted. This must be confirmed.',
    });
  });
});
