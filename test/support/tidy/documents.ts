import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { read, root } from './sources.js';

/** Finds broken links in the pages, and names of files that do not exist. */
export function brokenReferences(pages: readonly string[]): string[] {
  return pages.flatMap((page) => {
    if (!existsSync(join(root, page))) return [`${page} is missing. Write it.`];
    const text = read(page);
    return [
      ...brokenLinks(page, text),
      ...(naming.includes(page) ? missingFiles(page, text) : []),
      ...(page === 'SECURITY.md' ? attacksWithoutTest(page, text) : []),
    ];
  });
}

/** Pages in which every named file must exist. */
const naming = [
  'src/README.md',
  'SECURITY.md',
  ...['api', 'architecture', 'performance', 'protocol'].map((name) => `docs/${name}.md`),
];

/** Finds rows of the table of attacks whose last cell names no test. */
export function attacksWithoutTest(page: string, text: string): string[] {
  const [, table = ''] = text.split('| attack | answer | test |');
  const rows = table.split('\n').filter((line) => /^\|(?! *---)/.test(line));
  if (rows.length === 0) return [`${page} has no table of attacks. Write it.`];
  return rows.flatMap((row) => {
    const [, attack = '', answer = '', tests = ''] = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
    const isWhole = attack !== '' && answer !== '' && /`[\w/.-]+\.test\.ts`|`compliance\/[\w.-]+\.ts`/.test(tests);
    return isWhole ? [] : [`${page} has an attack without an answer or a test: ${attack}. Name them.`];
  });
}

function brokenLinks(page: string, text: string): string[] {
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset|href)="([^"]+)"/g)].map(
    (match) => match[1] ?? match[2] ?? '',
  );
  return targets.flatMap((target) => {
    if (/^[a-z]+:/.test(target)) return [];
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? page : posix.join(posix.dirname(page), path);
    if (!existsSync(join(root, file))) return [`${page} links to ${target}, which does not exist. Mend the link.`];
    if (anchor === undefined || !file.endsWith('.md') || anchorsOf(read(file)).has(anchor)) return [];
    return [`${page} links to ${target}, a heading that does not exist. Mend the link.`];
  });
}

function anchorsOf(text: string): Set<string> {
  const headings = [...text.matchAll(/^#+\s+(.*)$/gm)].map((match) => match[1] ?? '');
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  );
}

/** Finds texts in backticks that look like files but do not exist, from the root or from `src`. */
function missingFiles(page: string, text: string): string[] {
  const named = [...text.matchAll(/`([\w@.-]+(?:\/[\w@.-]+)*\.(?:ts|js|sol|md|json|svg))(?:#\w+)?`/g)].map(
    (match) => match[1] ?? '',
  );
  return [...new Set(named)].flatMap((name) =>
    ['', 'src/', 'test/'].some((folder) => existsSync(join(root, folder, name)))
      ? []
      : [`${page} names ${name}, which does not exist. Name what is there.`],
  );
}
