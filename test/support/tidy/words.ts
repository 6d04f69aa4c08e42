import ts from '@typescript/typescript6';
import { finding } from './finding.js';
import type { Source } from './sources.js';

const vague = new Set([
  'util',
  'utils',
  'helper',
  'helpers',
  'common',
  'misc',
  'manager',
  'managers',
  'handle',
  'data2',
]);
const unfinished = /\b(TODO|FIXME|XXX|HACK)\b/;

/** Finds files and exports with vague names. */
export function vagueNames(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => {
    const names = [{ name: source.path.replace(/^.*\//, '').replace(/\..*$/, ''), at: 1 as ts.Node | number }];
    for (const statement of source.tree.statements) names.push(...exportedNames(statement));
    return names.flatMap(({ name, at }) => {
      const word = wordsIn(name).find((each) => vague.has(each));
      return word === undefined ? [] : [finding(source, at, `calls something ${word}`, 'Say what it is or does.')];
    });
  });
}

function exportedNames(statement: ts.Statement): { name: string; at: ts.Node }[] {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name) ? [{ name: name.text, at: name }] : [],
    );
  }
  const named =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement);
  return named && statement.name ? [{ name: statement.name.text, at: statement.name }] : [];
}

function wordsIn(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}

/** Finds lines that postpone work. */
export function unfinishedWork(files: readonly { path: string; text: string }[]): string[] {
  return files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        unfinished.test(line) ? [`${path}:${index + 1} leaves work for later. Do it now.`] : [],
      ),
  );
}

const oddOpening = /^\s*(?:\/\/|\/\*\*?|\*) (What|Of|Where|That|Whoever|Who|Nobody|Is told)\s/;

/** Finds comments that begin with a word that names no subject. */
export function oddOpenings(sources: readonly Source[]): string[] {
  return sources.flatMap((source) =>
    source.text.split('\n').flatMap((line, index, lines) => {
      const [, word] = oddOpening.exec(line) ?? [];
      if (word === undefined || !isOpening(line, lines[index - 1] ?? '')) return [];
      const instead = 'Begin with what the thing is, or what the function does.';
      return [finding(source, index + 1, `begins a comment with ${word}`, instead)];
    }),
  );
}

/** Whether a line begins a comment; later lines may begin with any word. */
function isOpening(line: string, before: string): boolean {
  if (line.trimStart().startsWith('/*')) return true;
  return line.trimStart().startsWith('*') ? /^\s*\/\*\*?\s*$/.test(before) : !before.trimStart().startsWith('//');
}

const looseMark = /^\s*(?:\/\/|\/\*\*?|\*) (?:.* )?[.,;](?: |$)/;

/** Finds comments with a space before a full stop, a comma or a semicolon, which a removed reference leaves. */
export function looseMarks(sources: readonly Source[]): string[] {
  return sources.flatMap((source) =>
    source.text
      .split('\n')
      .flatMap((line, index) =>
        looseMark.test(line) ? [finding(source, index + 1, 'has a space before a mark', 'Close the gap.')] : [],
      ),
  );
}
