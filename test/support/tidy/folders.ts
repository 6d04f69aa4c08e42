import { finding } from './finding.js';
import type { Source } from './sources.js';

/** The stages of a message's life (docs/architecture.md §1). The other folders of `pipeline/` serve several stages. */
const stages = ['accept', 'batch', 'dispatch', 'receive', 'aggregate', 'deliver'];

/** Finds imports of a stage by another folder of `pipeline/`; only the files at its root combine stages. */
export function stageCrossings(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => {
    const from = folderOf(source.path);
    if (from === undefined) return [];
    const forbidden = source.imports.filter(({ file }) => {
      const to = folderOf(file ?? '');
      return to !== undefined && to !== from && stages.includes(to);
    });
    return forbidden.map((each) =>
      finding(source, each.line, `imports ${each.specifier}`, 'No stage imports another: move what both need.'),
    );
  });
}

function folderOf(path: string): string | undefined {
  return /^src\/pipeline\/([^/]+)\//.exec(path)?.[1];
}

/** The subjects that divide folders with many files, the same everywhere (docs/architecture.md §7). */
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

/** Folders that are divided by subject, with their other folders, which serve all subjects. */
const bySubject: Readonly<Record<string, readonly string[]>> = {
  'src/wire': ['errors', 'json', 'lists', 'routes'],
  'src/domain': ['schema'],
  'src/node': ['faults', 'handlers', 'lists', 'requests', 'stream'],
  'src/pipeline/accept': [],
  'src/pipeline/receive': [],
  'src/pipeline/state': [],
  'test/network': ['crash', 'firefly', 'requests', 'trials'],
};

/** Finds folders within these that are neither a subject nor listed; also in their unit tests. */
export function unknownFolders(paths: readonly string[]): string[] {
  const found = paths.flatMap((path) => {
    const place = path.replace(/^test\/unit\//, 'src/');
    const folder = Object.keys(bySubject).find((each) => place.startsWith(`${each}/`));
    const [name, ...below] = place.slice((folder?.length ?? 0) + 1).split('/');
    if (folder === undefined || name === undefined || below.length === 0) return [];
    return [...subjects, ...(bySubject[folder] ?? [])].includes(name) ? [] : [`${folder}/${name}`];
  });
  return [...new Set(found)].map((path) => `${path} is not a subject. Subjects are: ${subjects.join(', ')}.`);
}

/** Maximum number of files of a folder, without those of its subfolders. */
const maxFiles = 12;
/** Folders in which each file is one entry of a list, named after it. */
const lists = [
  'src/adapters/database/migrations',
  'src/cli/commands',
  'src/node/handlers',
  'src/ports',
  'src/wire/routes',
  'test/network/trials',
];
/** Finds folders with too many files to survey. */
export function crowdedFolders(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const folder = path.slice(0, path.lastIndexOf('/'));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].flatMap(([folder, count]) => {
    const most = lists.includes(folder) ? Infinity : maxFiles;
    return count <= most ? [] : [`${folder} holds ${count} files, at most ${most}. Divide it into folders.`];
  });
}
