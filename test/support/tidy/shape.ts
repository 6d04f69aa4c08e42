import ts from '@typescript/typescript6';
import { finding } from './finding.js';
import { lineOf, type Source, walk } from './sources.js';

const maxFileLines = 300;
const maxFunctionLines = 70;
const maxColumns = 120;

/**
 * Finds files, functions and lines that are too long. In tests only files count, because suites are functions too. A
 * line that holds one member of a literal does not count, so that no list is packed to keep the limit.
 */
export function tooLong(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => {
    const lines = source.text.trimEnd().split('\n');
    const members = memberLines(source);
    const length = lines.length - members.size;
    const advice = `At most ${maxFileLines}: give its second subject a file.`;
    const file = length > maxFileLines ? [finding(source, lines.length, `has ${length} lines`, advice)] : [];
    const wide = lines.flatMap((line, index) =>
      line.length > maxColumns
        ? [finding(source, index + 1, `is ${line.length} columns wide`, `At most ${maxColumns}: break the line.`)]
        : [],
    );
    return [...file, ...wide, ...(source.path.startsWith('test/') ? [] : longFunctions(source, members))];
  });
}

/** The lines that hold one whole member of an object or array literal and nothing else. */
function memberLines({ tree }: Source): Set<number> {
  const found = new Set<number>();
  walk(tree, (node) => {
    if (!ts.isObjectLiteralExpression(node) && !ts.isArrayLiteralExpression(node)) return;
    const members: readonly ts.Node[] = ts.isObjectLiteralExpression(node) ? node.properties : node.elements;
    const first = lineOf(tree, node);
    for (const member of members) {
      const line = lineOf(tree, member);
      if (line > first && line === lastLineOf(tree, member)) found.add(line);
    }
  });
  return found;
}

function lastLineOf(tree: ts.SourceFile, node: ts.Node): number {
  return tree.getLineAndCharacterOfPosition(node.getEnd()).line + 1;
}

/** Finds literals spread into another literal, which should list their members itself. */
export function spreadLiterals(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => {
    const found: string[] = [];
    walk(source.tree, (node) => {
      if (!ts.isSpreadAssignment(node) && !ts.isSpreadElement(node) && !ts.isJsxSpreadAttribute(node)) return;
      if (ts.isCallOrNewExpression(node.parent)) return;
      const spread = withoutType(node.expression);
      if (!ts.isObjectLiteralExpression(spread) && !ts.isArrayLiteralExpression(spread)) return;
      found.push(finding(source, node, 'spreads a literal', 'Give its members to the literal around it, a line each.'));
    });
    return found;
  });
}

function withoutType(node: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(node) || ts.isAsExpression(node) ? withoutType(node.expression) : node;
}

function longFunctions(source: Source, members: ReadonlySet<number>): string[] {
  const found: string[] = [];
  walk(source.tree, (node) => {
    if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return;
    const first = lineOf(source.tree, node);
    const last = lastLineOf(source.tree, node);
    const length = last - first + 1 - [...members].filter((line) => line >= first && line <= last).length;
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

/** The tidy files contain the words that they forbid. */
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
  return /^src\/cli\/commands\//.test(path) || ['vitest.config.ts', 'ui/vite.config.ts'].includes(path);
}
