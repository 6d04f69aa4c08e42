import { posix } from 'node:path';

interface File {
  /** Relative to the root. */
  readonly path: string;
  readonly text: string;
}

/** The numbered pages by path. */
export type Pages = ReadonlyMap<string, string>;

/** A space, or a line break inside a comment. */
const gap = String.raw`(?:\s|\n\s*(?:\*|//|#)?)+`;
const number = String.raw`\d+(?:\.\d+)*`;
/** A page, named or linked, with sections. */
const reference = new RegExp(
  String.raw`(?:\b(docs/[\w-]+\.md)|\]\((?!\w+:)([\w./-]+\.md)\))${gap}` +
    String.raw`(§${number}(?:,?${gap}(?:and${gap})?§${number})*)`,
  'g',
);
/** Former ways to cite pages that are not in the repository. */
const foreign = new RegExp(
  String.raw`\b(?:architecture|assurance|cli|decisions|explorer|interface|semantics|style)(?:\.md)?,?${gap}` +
    String.raw`(?:(?:section|rule)s?${gap})?[A-Z]?\d+\b`,
  'g',
);

/**
 * Finds references to missing sections, and references in any form other than `docs/protocol.md §3.2` or, within a
 * page, a link with a section. A page refers to its own sections by `§3.2` alone.
 */
export function strayReferences(files: readonly File[], pages: Pages): string[] {
  const sections = new Map([...pages].map(([path, text]) => [path, sectionsOf(text)]));
  return files.flatMap((file) => [...unresolved(file, sections), ...foreignReferences(file)]);
}

/** Returns the numbers of a page's headings, as in `## 3. Hashes` or `### 3.1 What is hashed`. */
function sectionsOf(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/^#{2,4} (\d+(?:\.\d+)*)\.? /gm)].map((match) => match[1] ?? ''));
}

type Sections = ReadonlyMap<string, ReadonlySet<string>>;

function unresolved({ path, text }: File, sections: Sections): string[] {
  const known = new Set<number>();
  const stray = [...text.matchAll(reference)].flatMap((match) => {
    const page = match[1] ?? posix.join(posix.dirname(path), match[2] ?? '');
    const start = match.index + match[0].lastIndexOf(match[3] ?? '');
    return [...(match[3] ?? '').matchAll(new RegExp(`§(${number})`, 'g'))].flatMap((section) => {
      known.add(start + section.index);
      return resolved(page, section[1] ?? '', sections) ? [] : [at(path, text, match.index, match[0])];
    });
  });
  const bare = [...text.matchAll(/§(\d+(?:\.\d+)*)?/g)].flatMap((match) => {
    if (known.has(match.index) || resolved(path, match[1] ?? '', sections)) return [];
    return [at(path, text, match.index, match[0])];
  });
  return [...stray, ...bare];
}

function resolved(page: string, section: string, sections: Sections): boolean {
  return sections.get(page)?.has(section) === true;
}

function foreignReferences({ path, text }: File): string[] {
  return [...text.matchAll(foreign)].map((match) => at(path, text, match.index, match[0]));
}

function at(path: string, text: string, index: number, found: string): string {
  const line = text.slice(0, index).split('\n').length;
  const said = found.replaceAll(/\s+(?:\*\s+|\/\/\s+)?/g, ' ');
  return `${path}:${line} refers to ${said}, which is no section of a page in docs. Name one: docs/protocol.md §3.2.`;
}
