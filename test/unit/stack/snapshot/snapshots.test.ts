import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packArchive } from '../../../../src/stack/archive.js';
import { layoutOf } from '../../../../src/stack/layout.js';
import { loadStack } from '../../../../src/stack/places/locate.js';
import { compareSnapshots } from '../../../../src/stack/snapshot/diff.js';
import { forkSnapshot } from '../../../../src/stack/snapshot/restoring/fork.js';
import { removeStack } from '../../../../src/stack/remove.js';
import { listSnapshots, removeSnapshot } from '../../../../src/stack/snapshot/list.js';
import { restoreSnapshot } from '../../../../src/stack/snapshot/restoring/restore.js';
import { saveSnapshot } from '../../../../src/stack/snapshot/saving/save.js';
import { exportSnapshot, importAsStack, importSnapshot } from '../../../../src/stack/snapshot/transfer.js';
import { aPlace } from '../fixtures/place.js';
import { aDirectory } from '../../supervisor/fixtures/plans.js';
import { aNetwork, blockHash, writeDatabase, writeJournal } from './a-network.js';

describe('A snapshot of a stopped stack', () => {
  test('records the newest block, is listed, and restores the files', async () => {
    const stack = await aNetwork();
    const { layout } = stack;
    // It would be out of date after a restore.
    writeFileSync(layout.failedStart, '{}');
    const { manifest, heldMs } = await saveSnapshot(stack, 'before');
    expect(manifest).toMatchObject({ stack: 'dev', chain: { block: 7, hash: blockHash } });
    expect(heldMs).toBe(0);
    const journal = readFileSync(join(layout.chainData, 'journal'), 'utf8');
    writeJournal(stack, 8);
    writeFileSync(join(layout.data, 'store', 'content', 'Qm2'), 'later');
    const restored = await restoreSnapshot(stack, 'before');
    expect(restored.start).toBeNull();
    expect(existsSync(layout.failedStart)).toBe(false);
    expect(readFileSync(join(layout.chainData, 'journal'), 'utf8')).toBe(journal);
    expect(readdirSync(join(layout.data, 'store', 'content'))).toEqual(['Qm1']);
    expect((await listSnapshots(stack)).map(({ name }) => name)).toEqual(['before']);
  });

  test('links only files that never change', async () => {
    const stack = await aNetwork();
    const { directory } = await saveSnapshot(stack, 'before');
    const linksOf = (path: string) => statSync(join(directory, 'data', path)).nlink;
    expect(linksOf('store/content/Qm1')).toBe(2);
    expect(linksOf('chain/journal')).toBe(1);
    expect(linksOf('nodes/alice/db.sqlite3')).toBe(1);
  });

  test('contains no keys', async () => {
    const { directory } = await saveSnapshot(await aNetwork(), 'before');
    expect(readdirSync(directory).toSorted()).toEqual([
      'accounts.json',
      'applied.json',
      'contracts.json',
      'data',
      'genesis.json',
      'manifest.json',
      'stack.yaml',
    ]);
  });

  test('is refused if a file is damaged, and nothing changes', async () => {
    const stack = await aNetwork();
    const { directory } = await saveSnapshot(stack, 'before');
    writeJournal(stack, 8);
    const now = readFileSync(join(stack.layout.chainData, 'journal'), 'utf8');
    writeFileSync(join(directory, 'data', 'chain', 'journal'), now);
    const refused = { code: 'SNAPSHOT_INVALID', exitCode: 10 };
    await expect(restoreSnapshot(stack, 'before')).rejects.toMatchObject(refused);
    await expect(forkSnapshot(stack, 'before', 'copy')).rejects.toMatchObject(refused);
    expect(readFileSync(join(stack.layout.chainData, 'journal'), 'utf8')).toBe(now);
    expect(readdirSync(stack.layout.directory).filter((name) => name.startsWith('.'))).toEqual([]);
    await expect(loadStack(stack.place, 'copy')).rejects.toMatchObject({ code: 'STACK_NOT_FOUND' });
  });

  test('is refused if it has a newer form or belongs to another network', async () => {
    const stack = await aNetwork();
    const { directory, manifest } = await saveSnapshot(stack, 'before');
    const refused = { code: 'SNAPSHOT_INVALID', exitCode: 10 };
    const change = (changes: object) =>
      writeFileSync(join(directory, 'manifest.json'), JSON.stringify({ ...manifest, ...changes }));
    change({ databaseForm: manifest.databaseForm + 1 });
    await expect(restoreSnapshot(stack, 'before')).rejects.toMatchObject(refused);
    change({ operator: `0x${'f'.repeat(40)}` });
    await expect(restoreSnapshot(stack, 'before')).rejects.toMatchObject(refused);
    change({ version: 2 });
    await expect(restoreSnapshot(stack, 'before')).rejects.toMatchObject(refused);
  });

  test('needs a free, valid name and a readable network', async () => {
    const stack = await aNetwork();
    await saveSnapshot(stack, 'before');
    await expect(saveSnapshot(stack, 'before')).rejects.toMatchObject({ code: 'NAME_EXISTS', exitCode: 10 });
    for (const name of ['', '.hidden', '../up', 'a b', 'x'.repeat(65)]) {
      await expect(saveSnapshot(stack, name)).rejects.toMatchObject({ code: 'NAME_INVALID', exitCode: 2 });
    }
    await expect(restoreSnapshot(stack, 'befor')).rejects.toMatchObject({
      code: 'SNAPSHOT_NOT_FOUND',
      exitCode: 3,
      message: expect.stringContaining('before') as string,
    });
    writeFileSync(stack.layout.contracts, 'torn');
    await expect(saveSnapshot(stack, 'torn')).rejects.toMatchObject({ code: 'STATE_INVALID' });
  });

  test('is refused for a stack that was never started', async () => {
    const stack = await aNetwork();
    rmSync(stack.layout.contracts);
    await expect(saveSnapshot(stack, 'before')).rejects.toMatchObject({ code: 'SNAPSHOT_REFUSED', exitCode: 2 });
  });

  test('is not listed if it was not completed, and the next one removes it', async () => {
    const stack = await aNetwork();
    mkdirSync(join(stack.layout.snapshots, '.saving-0123456789ab', 'data'), { recursive: true });
    expect(await listSnapshots(stack)).toEqual([]);
    await saveSnapshot(stack, 'before');
    expect(readdirSync(stack.layout.snapshots)).toEqual(['before']);
    await removeSnapshot(stack, 'before');
    expect(readdirSync(stack.layout.snapshots)).toEqual([]);
    await expect(removeSnapshot(stack, 'before')).rejects.toMatchObject({ code: 'SNAPSHOT_NOT_FOUND' });
  });

  test('is listed last and without a manifest if its manifest cannot be read', async () => {
    const stack = await aNetwork();
    const { directory } = await saveSnapshot(stack, 'before');
    await saveSnapshot(stack, 'after');
    writeFileSync(join(directory, 'manifest.json'), '{');
    expect(await listSnapshots(stack)).toMatchObject([{ name: 'after' }, { name: 'before', manifest: undefined }]);
  });

  test('can be read also if no node has made its database yet', async () => {
    const stack = await aNetwork();
    rmSync(join(stack.layout.data, 'nodes'), { recursive: true });
    const { manifest } = await saveSnapshot(stack, 'before');
    expect(await listSnapshots(stack)).toMatchObject([{ name: 'before', manifest }]);
  });
});

test('A comparison of two snapshots shows changed messages and balances', async () => {
  const stack = await aNetwork();
  await saveSnapshot(stack, 'before');
  await writeDatabase(stack, 'alice', 'rejected', '25');
  await saveSnapshot(stack, 'after');
  const { parties } = await compareSnapshots(stack, 'before', 'after');
  expect(parties).toEqual([
    {
      party: 'alice',
      added: [],
      removed: [],
      changed: [{ id: 'm-1', before: 'confirmed', after: 'rejected' }],
      balances: [{ pool: 'coins', tokenIndex: '', key: '0xaa', before: '10', after: '25' }],
    },
    { party: 'bob', added: [], removed: [], changed: [], balances: [] },
  ]);
});

describe('A copy of a stack', () => {
  test('has the same keys and state, and another mark and other ports', async () => {
    const stack = await aNetwork();
    appendFileSync(stack.definitionFile, 'seed: [seed/first.yaml]\nhooks: {ready: ["true"]}\n');
    await saveSnapshot(stack, 'before');
    await forkSnapshot(stack, 'before', 'copy');
    await forkSnapshot(stack, 'before', 'other');
    const [copy, other] = [await loadStack(stack.place, 'copy'), await loadStack(stack.place, 'other')];
    expect(copy.settings.copy).toMatch(/^[0-9a-f]{16}$/);
    expect([stack.settings.copy, other.settings.copy]).not.toContain(copy.settings.copy);
    expect(copy.settings.ports.base).toBe('auto');
    // The copy does not have the files of seeds and hooks.
    expect(copy.settings).toMatchObject({ seed: [], hooks: { ready: [], stop: [] } });
    expect(existsSync(copy.layout.ports)).toBe(false);
    const keyOf = ({ layout }: typeof stack) => readFileSync(join(layout.keys, 'operator'), 'utf8');
    expect(keyOf(copy)).toBe(keyOf(stack));
    expect(readFileSync(join(copy.layout.chainData, 'journal'), 'utf8')).toBe(
      readFileSync(join(stack.layout.chainData, 'journal'), 'utf8'),
    );
  });

  test('needs a name that no stack has', async () => {
    const stack = await aNetwork();
    await saveSnapshot(stack, 'before');
    await expect(forkSnapshot(stack, 'before', 'dev')).rejects.toMatchObject({ code: 'NAME_EXISTS', exitCode: 10 });
    await expect(forkSnapshot(stack, 'before', 'No')).rejects.toMatchObject({ code: 'NAME_INVALID', exitCode: 2 });
  });
});

describe('An archive of a snapshot', () => {
  test('is imported into its stack, or as a new stack', async () => {
    const stack = await aNetwork();
    await saveSnapshot(stack, 'before');
    const file = await exportSnapshot(stack, 'before', join(aDirectory(), 'before.tar.gz'));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await expect(exportSnapshot(stack, 'before', file)).rejects.toMatchObject({ code: 'NAME_EXISTS' });
    const refused = { code: 'EXPORT_REFUSED', message: `${file} is not a writable folder.` };
    await expect(exportSnapshot(stack, 'before', join(file, 'again.tar.gz'))).rejects.toMatchObject(refused);
    await expect(importSnapshot(stack, file, undefined)).rejects.toMatchObject({ code: 'NAME_EXISTS' });
    expect(await importSnapshot(stack, file, 'again')).toMatchObject({ name: 'again' });
    expect(existsSync(join(stack.layout.snapshots, 'again', 'keys'))).toBe(false);
    await restoreSnapshot(stack, 'again');
    const place = aPlace();
    expect(await importAsStack(place, file, 'moved')).toMatchObject({ name: 'moved' });
    const { settings, layout } = await loadStack(place, 'moved');
    expect(settings).toMatchObject({ name: 'moved', copy: expect.stringMatching(/^[0-9a-f]{16}$/) as string });
    expect(statSync(join(layout.keys, 'operator')).mode & 0o777).toBe(0o600);
    expect(readdirSync(place.home).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('is refused if it is of another network, has no keys, or has an unknown file', async () => {
    const [stack, stranger] = [await aNetwork(), await aNetwork()];
    await saveSnapshot(stack, 'before');
    const file = await exportSnapshot(stack, 'before', join(aDirectory(), 'before.tar.gz'));
    const refused = { code: 'SNAPSHOT_INVALID', exitCode: 10 };
    await expect(importSnapshot(stranger, file, undefined)).rejects.toMatchObject(refused);
    expect(readdirSync(stranger.layout.snapshots)).toEqual([]);
    const { directory } = await saveSnapshot(stack, 'later');
    const bare = join(aDirectory(), 'bare.tar.gz');
    await packArchive(directory, bare);
    // The remedy for a snapshot of a stack would not help here.
    const hint = expect.stringContaining('Export it again') as string;
    await expect(importAsStack(aPlace(), bare, 'moved')).rejects.toMatchObject({ ...refused, hint });
    mkdirSync(join(directory, 'keys'));
    writeFileSync(join(directory, 'keys', 'operator'), '');
    writeFileSync(join(directory, 'data', 'more'), '');
    const more = join(aDirectory(), 'more.tar.gz');
    await packArchive(directory, more);
    await expect(importAsStack(aPlace(), more, 'moved')).rejects.toMatchObject(refused);
    await expect(importAsStack(aPlace(), join(layoutOf('/', stack.place).data, 'no'), 'x')).rejects.toMatchObject({
      code: 'ARCHIVE_INVALID',
    });
  });
});

describe('Removing a stack with snapshots', () => {
  test('can keep them as archives from which a stack can be made', async () => {
    const stack = await aNetwork();
    await saveSnapshot(stack, 'before');
    writeJournal(stack, 8);
    await saveSnapshot(stack, 'after');
    const { removed, kept } = await removeStack(stack, { keepSnapshots: true });
    expect(removed).toEqual(['dev']);
    expect(existsSync(stack.layout.directory)).toBe(false);
    expect(kept.map((path) => basename(path))).toEqual(['dev-after.tar.gz', 'dev-before.tar.gz']);
    expect(kept.map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600]);
    const { manifest } = await importAsStack(stack.place, kept[1] ?? '', 'again');
    expect(manifest.chain.block).toBe(7);
  });

  test('fails if a snapshot cannot be kept', async () => {
    const stack = await aNetwork();
    const { directory } = await saveSnapshot(stack, 'before');
    appendFileSync(join(directory, 'data', 'chain', 'journal'), 'x');
    const refused = removeStack(stack, { keepSnapshots: true });
    await expect(refused).rejects.toMatchObject({ code: 'SNAPSHOT_INVALID' });
    expect(existsSync(stack.layout.directory)).toBe(true);
  });
});
