import { readdirSync, readFileSync, realpathSync, type Stats, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { forkSnapshot } from '../../../../src/stack/snapshot/restoring/fork.js';
import { saveSnapshot } from '../../../../src/stack/snapshot/saving/save.js';
import { exportSnapshot, importAsStack, importSnapshot } from '../../../../src/stack/snapshot/transfer.js';
import { aDirectory } from '../../supervisor/fixtures/plans.js';
import { replaceDisk } from '../fixtures/disk.js';
import { aPlace } from '../fixtures/place.js';
import { aNetwork } from './a-network.js';

/** Records the targets of renames, and the renamed files that were not synced before. */
function watchDisk(): { readonly renames: string[]; readonly unsynced: string[] } {
  const [synced, renames, unsynced] = [new Set<string>(), new Array<string>(), new Array<string>()];
  replaceDisk((real) => ({
    open: async (path, flags, mode) => {
      const file = await real.open(path, flags, mode);
      const sync = file.sync.bind(file);
      file.sync = async () => {
        synced.add(markOf(await file.stat()));
        await sync();
      };
      return file;
    },
    rename: async (from, to) => {
      const path = String(from);
      const files = statSync(path).isFile() ? [path] : filesBelow(path);
      unsynced.push(...files.filter((file) => !synced.has(markOf(statSync(file)))).map((file) => basename(file)));
      renames.push(String(to));
      await real.rename(from, to);
    },
  }));
  return { renames, unsynced };
}

/** Identifies a file under any name; a later file may reuse its inode. */
function markOf({ ino, birthtimeMs }: Stats): string {
  return `${ino} ${birthtimeMs}`;
}

function filesBelow(directory: string): string[] {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

test('Snapshots, archives and copies are synced before they are renamed', async () => {
  const stack = await aNetwork();
  const { renames, unsynced } = watchDisk();
  const { directory } = await saveSnapshot(stack, 'before');
  const target = join(realpathSync(aDirectory()), 'before.tar.gz');
  await exportSnapshot(stack, 'before', target);
  const imported = await importSnapshot(stack, target, 'again');
  const copy = await forkSnapshot(stack, 'before', 'copy');
  const moved = await importAsStack(aPlace(), target, 'moved');
  const again = join(dirname(directory), imported.name);
  expect(renames).toEqual(expect.arrayContaining([directory, target, again, copy.dir, moved.dir]));
  expect(unsynced).toEqual([]);
});

test('An unfinished archive is replaced by the next export, and files of the user stay', async () => {
  const stack = await aNetwork();
  await saveSnapshot(stack, 'before');
  const directory = aDirectory();
  const others = ['before.tar.gz.tmp', '.before.tar.gz.tmp'];
  for (const name of others) writeFileSync(join(directory, name), 'the user’s own');
  writeFileSync(join(directory, `.before.tar.gz.${stack.layout.id}.tmp`), 'a part', { mode: 0o644 });
  const file = await exportSnapshot(stack, 'before', join(directory, 'before.tar.gz'));
  expect(readdirSync(directory).toSorted()).toEqual([...others, 'before.tar.gz'].toSorted());
  expect(readFileSync(join(directory, 'before.tar.gz.tmp'), 'utf8')).toBe('the user’s own');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
