import ts from '@typescript/typescript6';
import type { Loaded } from './command-reference.js';
import { readSources, type Source, walk } from './tidy/sources.js';

/** The shell words that may precede a command; tests quote the path of the program. */
const beforeCommand = /^(?:stack|\$\(stack|exec|&&|\|\|?|'|"?\$\(stack)$|;$/;

/**
 * Returns the flags that no test of the built program uses, each with all commands that have it: `bench mint --slo`. A
 * flag that commands share counts as one, so one of them suffices.
 */
export function untypedFlags(commands: ReadonlyMap<string, Loaded>): string[] {
  const names = new Set([...commands.keys()].map((id) => id.replaceAll(':', ' ')));
  const typed = typedFlags(readSources('test/e2e', 'test/long'), names);
  const uses = new Map<object, { readonly texts: string[]; isTyped: boolean }>();
  for (const [id, { flags = {}, baseFlags = {} }] of commands) {
    const command = id.replaceAll(':', ' ');
    for (const [name, flag] of Object.entries({ ...baseFlags, ...flags })) {
      const spellings = [`--${name}`, `--no-${name}`, ...(flag.char === undefined ? [] : [`-${flag.char}`])];
      const use = uses.get(flag) ?? { texts: [], isTyped: false };
      use.texts.push(`${command} --${name}`);
      use.isTyped ||= flag.hidden === true || spellings.some((spelling) => typed.has(`${command} ${spelling}`));
      uses.set(flag, use);
    }
  }
  return [...uses.values()].filter(({ isTyped }) => !isTyped).map(({ texts }) => texts.join(', '));
}

/**
 * Returns the flags that tests use, as `pool create --type`. A command line of a test is the literals of a call, a list
 * or a template, in order; a name in it stands for the literals in its declaration.
 */
export function typedFlags(sources: readonly Source[], commands: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { tree } of sources) {
    const declared = declarationsOf(tree);
    walk(tree, (node) => {
      const words = lineOf(node, declared);
      const beginnings = ts.isCallExpression(node) ? beginningsIn(node.expression, declared, commands) : [];
      for (const beginning of [[], ...beginnings]) {
        for (const flag of flagsIn([...beginning, ...words], commands)) found.add(flag);
      }
    });
  }
  return found;
}

/** By scope, the expressions in the declarations of each name. */
type Declared = ReadonlyMap<ts.Node, ReadonlyMap<string, readonly ts.Node[]>>;

/** Collects the declarations of a file: constants, functions, loops, and the rows of tables of tests. */
function declarationsOf(tree: ts.SourceFile): Declared {
  const declared = new Map<ts.Node, Map<string, ts.Node[]>>();
  const add = (name: ts.BindingName, value: ts.Node | undefined) => {
    if (value === undefined) return;
    if (!ts.isIdentifier(name)) {
      for (const element of name.elements) if (ts.isBindingElement(element)) add(element.name, value);
      return;
    }
    const scope = ts.findAncestor(name.parent === value ? value.parent : name, isScope) ?? tree;
    const names = declared.get(scope) ?? new Map<string, ts.Node[]>();
    declared.set(scope, names.set(name.text, [...(names.get(name.text) ?? []), value]));
  };
  walk(tree, (node) => {
    if (ts.isVariableDeclaration(node)) {
      const loop = node.parent.parent;
      add(node.name, ts.isForOfStatement(loop) ? loop.expression : node.initializer);
    } else if (ts.isFunctionDeclaration(node) && node.name !== undefined) {
      add(node.name, node);
    } else if (ts.isCallExpression(node)) {
      const source = rowsOf(node);
      const functions = node.arguments.filter((argument) => ts.isArrowFunction(argument));
      for (const { parameters } of functions) for (const { name } of parameters) add(name, source);
    }
  });
  return declared;
}

function isScope(node: ts.Node): boolean {
  return ts.isSourceFile(node) || ts.isBlock(node) || ts.isFunctionLike(node) || ts.isForOfStatement(node);
}

/** Returns the list whose members a call passes to its functions: `test.each(list)('…', …)`, `list.map(…)`. */
function rowsOf({ expression }: ts.CallExpression): ts.Node | undefined {
  if (ts.isCallExpression(expression)) return expression.arguments[0];
  return ts.isPropertyAccessExpression(expression) ? expression.expression : undefined;
}

function valuesOf(name: ts.Identifier, declared: Declared): readonly ts.Node[] {
  for (let scope: ts.Node | undefined = name.parent; scope !== undefined; scope = scope.parent) {
    const values = declared.get(scope)?.get(name.text);
    if (values !== undefined) return values;
  }
  return [];
}

/** Returns the words of a node that may be a command line. */
function lineOf(node: ts.Node, declared: Declared): string[] {
  const isLine = ts.isTemplateExpression(node) || ts.isStringLiteralLike(node);
  const parts = ts.isCallExpression(node)
    ? node.arguments
    : ts.isArrayLiteralExpression(node)
      ? node.elements
      : isLine
        ? [node]
        : [];
  return parts.flatMap((part) => wordsOf(part, declared));
}

/** Returns the lines that a function continues with its arguments: `(...words) => ok('logs', ...words)`. */
function beginningsIn(callee: ts.Node, declared: Declared, commands: ReadonlySet<string>): string[][] {
  if (!ts.isIdentifier(callee)) return [];
  const found: string[][] = [];
  for (const value of valuesOf(callee, declared).filter(ts.isFunctionLike)) {
    walk(value, (node) => {
      const words = lineOf(node, declared);
      if (commandAt(words, 0, commands) !== undefined) found.push(words);
    });
  }
  return found;
}

/** Returns the words of the literals in an expression, in order. */
function wordsOf(node: ts.Node, declared: Declared, within: readonly ts.Node[] = []): string[] {
  if (within.includes(node) || ts.isFunctionLike(node)) return [];
  const inner = [...within, node];
  if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node)) {
    return node.text.split(/\s+/).filter((word) => word !== '');
  }
  if (ts.isIdentifier(node)) return valuesOf(node, declared).flatMap((value) => wordsOf(value, declared, inner));
  if (ts.isPropertyAccessExpression(node)) return wordsOf(node.expression, declared, inner);
  const words: string[] = [];
  ts.forEachChild(node, (child) => void words.push(...wordsOf(child, declared, inner)));
  return words;
}

/** Returns the flags of a line, each with every command to which it may belong. */
function flagsIn(words: readonly string[], commands: ReadonlySet<string>): string[] {
  const found: string[] = [];
  let current: string[] = [];
  let end = 0;
  for (const [index, word] of words.entries()) {
    const [flag] = /^--?[a-z][\w-]*/i.exec(word) ?? [];
    if (flag !== undefined) found.push(...current.map((command) => `${command} ${flag}`));
    const command = index < end ? undefined : commandAt(words, index, commands);
    if (command === undefined) continue;
    // Commands in a row are the alternatives of a loop: for (const verb of ['mint', 'burn']) ok(verb, '--pool', …)
    const isAlternative = index === end && current.length > 0;
    if (index > 0 && !isAlternative && !beforeCommand.test(words[index - 1] ?? '')) continue;
    current = isAlternative ? [...current, command] : [command];
    end = index + command.split(' ').length;
  }
  return found;
}

/** Returns the longest name of a command that begins at a word. */
function commandAt(words: readonly string[], index: number, commands: ReadonlySet<string>): string | undefined {
  return [3, 2, 1].map((count) => words.slice(index, index + count).join(' ')).find((name) => commands.has(name));
}
