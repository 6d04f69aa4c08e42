import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { read, root } from './sources.js';

/**
 * Links of our pages that lead nowhere, within the page or to a file, and files that a page names and that do not
 * exist.
 */
export function brokenReferences(pages: readonly string[]): string[] {
  return pages.flatMap((page) => {
    if (!existsSync(join(root, page))) return [`${page} is missing. Write it.`];
    const text = read(page);
    return [...brokenLinks(page, text), ...(page === 'src/README.md' ? missingFiles(page, text) : [])];
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

/** What stands in backticks and looks like a file must be one, from the root or from `src`. */
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
