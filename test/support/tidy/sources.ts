import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from '@typescript/typescript6';

/** The folder of package.json. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

export interface Import {
  readonly specifier: string;
  /** Path from the root, for a file of this repository. */
  readonly file?: string;
  /** Such as `ethers` for `ethers/abi`, or `@oclif/core` for `@oclif/core/errors`. */
  readonly npm?: string;
  /** Such as `crypto` for `node:crypto`. */
  readonly node?: string;
  /** The imported names; empty for a whole module. */
  readonly names: readonly string[];
  readonly isTypeOnly: boolean;
  readonly line: number;
}

export interface Source {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
  readonly imports: readonly Import[];
}

/** Returns all paths below a folder, from the root, sorted; empty if the folder is missing. */
export function pathsUnder(folder: string): string[] {
  const absolute = join(root, folder);
  if (!existsSync(absolute)) return [];
  return readdirSync(absolute, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}

export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** Parses every TypeScript and JavaScript file below the folders. */
export function readSources(...folders: readonly string[]): Source[] {
  return folders
    .flatMap(pathsUnder)
    .filter((path) => /\.(tsx?|js)$/.test(path))
    .map(readSource);
}

/** Returns the line of a node, from 1. */
export function lineOf(tree: ts.SourceFile, node: ts.Node): number {
  return tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
}

export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

function readSource(path: string): Source {
  return parse(path, read(path));
}

/** Parses a file for the rules. */
export function parse(path: string, text: string): Source {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
  const imports: Import[] = [];
  walk(tree, (node) => {
    const found = specifierOf(node);
    if (found) imports.push({ ...describe(path, found.specifier), ...found, line: lineOf(tree, node) });
  });
  return { path, text, tree, imports };
}

function specifierOf(node: ts.Node): { specifier: string; names: string[]; isTypeOnly: boolean } | undefined {
  if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
    if (!ts.isStringLiteral(node.moduleSpecifier)) return undefined;
    const clause = ts.isImportDeclaration(node) ? node.importClause : undefined;
    const named = clause?.namedBindings && ts.isNamedImports(clause.namedBindings) ? clause.namedBindings.elements : [];
    const isTypeOnly = ts.isExportDeclaration(node)
      ? node.isTypeOnly
      : clause?.phaseModifier === ts.SyntaxKind.TypeKeyword ||
        (named.length > 0 && clause?.name === undefined && named.every((element) => element.isTypeOnly));
    const names = named.map((element) => (element.propertyName ?? element.name).text);
    return { specifier: node.moduleSpecifier.text, names, isTypeOnly };
  }
  const [argument] = ts.isCallExpression(node) && loads(node.expression) ? node.arguments : [];
  if (argument && ts.isStringLiteral(argument)) return { specifier: argument.text, names: [], isTypeOnly: false };
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
    return { specifier: node.argument.literal.text, names: [], isTypeOnly: true };
  }
  return undefined;
}

/** Whether a call imports a module: `import(…)`, or a function from `createRequire`. */
function loads(callee: ts.Expression): boolean {
  return callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === 'require');
}

/** Returns the source file of an import that names the compiled file. */
function fileOf(path: string, from: string): string {
  if (from.endsWith('.js') || !path.endsWith('.js')) return path;
  const source = path.replace(/\.js$/, '.ts');
  return path.startsWith('ui/') && existsSync(join(root, `${source}x`)) ? `${source}x` : source;
}

function describe(from: string, specifier: string): Pick<Import, 'file' | 'npm' | 'node'> {
  if (specifier.startsWith('.')) {
    return { file: fileOf(posix.join(posix.dirname(from), specifier), from) };
  }
  if (specifier.startsWith('node:')) return { node: specifier.slice('node:'.length) };
  return {
    npm: specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/'),
  };
}
