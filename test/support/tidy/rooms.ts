import { finding } from './finding.js';
import type { Source } from './sources.js';

/** The stages of a message's life (docs/architecture.md §1). Other rooms of `pipeline/` serve several of them. */
const stages = ['accept', 'batch', 'dispatch', 'receive', 'aggregate', 'deliver'];

/** Finds imports of a stage by another room of `pipeline/`; only the composers at its root join stages. */
export function stageCrossings(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => {
    const from = roomOf(source.path);
    if (from === undefined) return [];
    const strange = source.imports.filter(({ file }) => {
      const to = roomOf(file ?? '');
      return to !== undefined && to !== from && stages.includes(to);
    });
    return strange.map((each) =>
      finding(source, each.line, `imports ${each.specifier}`, 'No stage imports another: move what both need.'),
    );
  });
}

function roomOf(path: string): string | undefined {
  return /^src\/pipeline\/([^/]+)\//.exec(path)?.[1];
}

/** The subjects by which folders with many files are divided, everywhere alike (docs/architecture.md §7). */
const subjects = [
  'messages',
  'data',
  'datatypes',
  'groups',
  'identities',
  'tokens',
  'contracts',
  'events',
  'network',
  'chain',
];

/** Folders that are divided by subject, with their rooms for what serves all subjects. */
const bySubject: Readonly<Record<string, readonly string[]>> = {
  'src/wire': ['errors', 'json', 'lists', 'routes'],
  'src/domain': ['schema'],
  'src/node': ['faults', 'handlers', 'lists', 'requests', 'stream'],
  'src/pipeline/accept': [],
  'src/pipeline/receive': [],
  'src/pipeline/common': [],
  'test/network': ['crash', 'firefly', 'requests', 'trials'],
};

/** Finds rooms of such folders, and of their unit tests, that are neither. */
export function strangeRooms(paths: readonly string[]): string[] {
  const found = paths.flatMap((path) => {
    const place = path.replace(/^test\/unit\//, 'src/');
    const folder = Object.keys(bySubject).find((each) => place.startsWith(`${each}/`));
    const [room, ...below] = place.slice((folder?.length ?? 0) + 1).split('/');
    if (folder === undefined || room === undefined || below.length === 0) return [];
    return [...subjects, ...(bySubject[folder] ?? [])].includes(room) ? [] : [`${folder}/${room}`];
  });
  return [...new Set(found)].map((room) => `${room} is no subject: ${subjects.join(', ')}. Put its files there.`);
}

/** Most files beside the rooms of a folder. */
const maxFiles = 12;
/** Folders in which each file is one row of a list, its name being the row's. */
const lists = [
  'src/adapters/database/migrations',
  'src/cli/commands',
  'src/node/handlers',
  'src/ports',
  'src/wire/routes',
  'test/network/trials',
];
/** Finds folders that hold too many files to be read at a glance. */
export function crowdedFolders(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const folder = path.slice(0, path.lastIndexOf('/'));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].flatMap(([folder, count]) => {
    const most = lists.includes(folder) ? Infinity : maxFiles;
    return count <= most ? [] : [`${folder} holds ${count} files, at most ${most}. Divide it into rooms.`];
  });
}
