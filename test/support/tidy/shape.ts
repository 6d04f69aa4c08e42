import ts from 'typescript';
import { finding } from './finding.js';
import { lineOf, type Source, walk } from './sources.js';

const maxFileLines = 300;
const maxFunctionLines = 70;
const maxColumns = 120;

/** Finds files, functions and lines that are too long. In tests only files count, because suites are functions too. */
export function tooLong(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => {
    const lines = source.text.trimEnd().split('\n');
    const file =
      lines.length > maxFileLines
        ? [
            finding(
              source,
              lines.length,
              `has ${lines.length} lines`,
              `At most ${maxFileLines}: give its second subject a file.`,
            ),
          ]
        : [];
    const wide = lines.flatMap((line, index) =>
      line.length > maxColumns
        ? [finding(source, index + 1, `is ${line.length} columns wide`, `At most ${maxColumns}: break the line.`)]
        : [],
    );
    return [...file, ...wide, ...(source.path.startsWith('test/') ? [] : longFunctions(source))];
  });
}

function longFunctions(source: Source): string[] {
  const found: string[] = [];
  walk(source.tree, (node) => {
    if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return;
    const end = source.tree.getLineAndCharacterOfPosition(node.getEnd()).line + 1;
    const length = end - lineOf(source.tree, node) + 1;
    if (length <= maxFunctionLines) return;
    found.push(
      finding(
        source,
        node,
        `is a function of ${length} lines`,
        `At most ${maxFunctionLines}: split it into named steps.`,
      ),
    );
  });
  return found;
}

/** Finds `any`, disabled checks, and type assertions outside the edges. */
export function looseTypes(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => {
    const found: string[] = [];
    walk(source.tree, (node) => {
      if (node.kind === ts.SyntaxKind.AnyKeyword) {
        found.push(finding(source, node, 'uses any', 'Use unknown and check it, or the type itself.'));
      }
      if (ts.isAsExpression(node) && !isConst(node) && !mayAssert(source.path)) {
        found.push(
          finding(source, node, 'asserts a type with as', 'Parse it, narrow it, or let the schema give the type.'),
        );
      }
    });
    const switchedOff = source.text
      .split('\n')
      .flatMap((line, index) =>
        /@ts-(ignore|nocheck|expect-error)/.test(line) && !isAboutItself(source.path)
          ? [finding(source, index + 1, 'switches the compiler off', 'Mend the type.')]
          : [],
      );
    return [...found, ...switchedOff];
  });
}

function isConst(node: ts.AsExpression): boolean {
  return node.type.getText() === 'const';
}

function mayAssert(path: string): boolean {
  return !/^(src|ui)\//.test(path) || /^src\/(wire|client|adapters)\//.test(path);
}

/** The tidy files contain what they forbid. */
function isAboutItself(path: string): boolean {
  return path.startsWith('test/support/tidy/') || path === 'test/tidy-rules.test.ts';
}

/** Finds re-exports, and default exports that no tool requires. */
export function exportsOfOthers(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => {
    const found: string[] = [];
    for (const statement of source.tree.statements) {
      if (ts.isExportDeclaration(statement) && statement.moduleSpecifier) {
        found.push(finding(source, statement, 're-exports', 'Import it from where it is written.'));
      }
      if (isDefaultExport(statement) && !needsDefault(source.path)) {
        found.push(finding(source, statement, 'has a default export', 'Export it by its name.'));
      }
    }
    return found;
  });
}

function isDefaultExport(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  return ts.isExportAssignment(statement) || modifiers.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword);
}

/** oclif finds commands, and tools their settings, by default exports. */
function needsDefault(path: string): boolean {
  return (
    /^src\/cli\/commands\//.test(path) || ['vitest.config.ts', 'eslint.config.js', 'ui/vite.config.ts'].includes(path)
  );
}
