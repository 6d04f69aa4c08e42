import { posix } from 'node:path';
import ts from '@typescript/typescript6';
import { type Source, walk } from './sources.js';

/**
 * Finds rows without a test in the tables of a page. The last column of every table must be `test`, with links to test
 * files whose text is the title, or part of the title, of a test or suite.
 */
export function rowsWithoutTest(page: string, text: string, tests: readonly Source[]): string[] {
  const tables = tablesOf(text);
  if (tables.length === 0) return [`${page} has no table of what is tested. Write it.`];
  return tables.flatMap(([header = [], ...rows]) => {
    if (header.at(-1) !== 'test') return [`${page} has a table that names no tests: ${header.join(', ')}. Add them.`];
    return rows.flatMap((row) => rowFindings(page, row, tests));
  });
}

function rowFindings(page: string, row: readonly string[], tests: readonly Source[]): string[] {
  const links = [...(row.at(-1) ?? '').matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)];
  if (links.length === 0) return [`${page} has a row without a test: ${row[0] ?? ''}. Link to one by its title.`];
  return links.flatMap(([, title = '', target = '']) => {
    const path = posix.join(posix.dirname(page), target);
    const source = tests.find((each) => each.path === path);
    if (source !== undefined && titlesOf(source).some((each) => each.includes(title))) return [];
    return [`${page} names a test "${title}", which ${path} does not have. Name one that it has.`];
  });
}

/** Returns the cells of a page's tables, without the lines below headers. */
function tablesOf(text: string): string[][][] {
  const blocks = text.split(/\n(?!\|)/).map((block) => block.split('\n').filter((line) => line.startsWith('|')));
  return blocks
    .filter((lines) => lines.length > 1)
    .map((lines) =>
      lines
        .filter((line) => !/^\|[\s|:-]+$/.test(line))
        .map((line) =>
          line
            .split(/(?<!\\)\|/)
            .slice(1, -1)
            .map((cell) => cell.trim()),
        ),
    );
}

/** Returns the titles of a file's tests and suites. */
function titlesOf({ tree }: Source): string[] {
  const titles: string[] = [];
  walk(tree, (node) => {
    if (!ts.isCallExpression(node) || !/^(?:test|it|describe)\b/.test(node.expression.getText(tree))) return;
    const [first] = node.arguments;
    if (first !== undefined && ts.isStringLiteralLike(first)) titles.push(first.text);
  });
  return titles;
}
