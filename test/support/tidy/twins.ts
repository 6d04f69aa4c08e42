import ts from '@typescript/typescript6';
import { errors } from '../../../src/wire/errors/error-table.js';
import { routes } from '../../../src/wire/routes.js';
import { pathsUnder, read, type Source, walk } from './sources.js';

/** Finds halves of pairs without the other half. */
export function missingTwins(src: readonly Source[], tests: readonly Source[]): string[] {
  return [
    ...untestedDomain(src),
    ...portsWithoutSuite(src),
    ...adaptersWithoutSuite(src, tests),
    ...routesWithoutExample(),
    ...errorsWithoutTest(tests),
    ...commandsWithoutExample(src),
    ...dependenciesWithoutReason(),
  ];
}

function untestedDomain(src: readonly Source[]): string[] {
  const present = new Set(pathsUnder('test/unit/domain'));
  return src
    .filter(({ path }) => path.startsWith('src/domain/'))
    .map(({ path }) => [path, path.replace(/^src\/(.*)\.ts$/, 'test/unit/$1.test.ts')] as const)
    .flatMap(([path, test]) => (present.has(test) ? [] : [`${path} has no unit test. Write ${test}.`]));
}

/** Returns the ports, which are the names of the adapters' folders; other files of `ports` are their types. */
function portNames(src: readonly Source[]): string[] {
  const folders = src.flatMap(({ path }) => /^src\/adapters\/([^/]+)\//.exec(path)?.[1] ?? []);
  return [...new Set(folders)].sort();
}

function portsWithoutSuite(src: readonly Source[]): string[] {
  const suites = new Set(pathsUnder('test/compliance'));
  return portNames(src).flatMap((port) => {
    const noPort = src.some(({ path }) => path === `src/ports/${port}.ts`)
      ? []
      : [`src/adapters/${port}/ stands behind no port. Write src/ports/${port}.ts.`];
    const suite = `test/compliance/${port}.ts`;
    return suites.has(suite)
      ? noPort
      : [...noPort, `The port ${port} has no compliance suite. Write ${suite}: its obligations as one function.`];
  });
}

/**
 * Finds adapters without a compliance test. An adapter is a file with a factory for its port, such as
 * `createDiskFiles(…): Files`.
 */
function adaptersWithoutSuite(src: readonly Source[], tests: readonly Source[]): string[] {
  return src.flatMap((source) => {
    const port = /^src\/adapters\/([^/]+)\//.exec(source.path)?.[1];
    if (port === undefined || !hasFactoryOf(source, pascalCase(port))) return [];
    const isCalled = tests.some(
      ({ path, imports }) =>
        path.startsWith('test/compliance/') &&
        imports.some(({ file }) => file === source.path) &&
        imports.some(({ file }) => file === `test/compliance/${port}.ts`),
    );
    const test = `test/compliance/${port}.${source.path.replace(/^.*\/(.*)\.ts$/, '$1')}.test.ts`;
    return isCalled ? [] : [`${source.path} never meets the suite of its port. Call it in ${test}.`];
  });
}

function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function hasFactoryOf(source: Source, port: string): boolean {
  const kinds = [port, ...source.tree.statements.flatMap((statement) => extensionOf(statement, port))];
  return source.tree.statements.some(
    (statement) =>
      ts.isFunctionDeclaration(statement) &&
      /^(create|open)/.test(statement.name?.text ?? '') &&
      statement.type !== undefined &&
      kinds.includes(promisedName(statement.type) ?? ''),
  );
}

/** Returns the name of an interface that extends the port, such as `interface MemoryFiles extends Files`. */
function extensionOf(statement: ts.Statement, port: string): string[] {
  if (!ts.isInterfaceDeclaration(statement)) return [];
  const bases = (statement.heritageClauses ?? []).flatMap(({ types }) =>
    types.map((type) => type.expression.getText()),
  );
  return bases.includes(port) ? [statement.name.text] : [];
}

function promisedName(type: ts.TypeNode): string | undefined {
  if (!ts.isTypeReferenceNode(type) || !ts.isIdentifier(type.typeName)) return undefined;
  const [argument] = type.typeName.text === 'Promise' ? (type.typeArguments ?? []) : [];
  return argument ? promisedName(argument) : type.typeName.text;
}

function routesWithoutExample(): string[] {
  const places = ['test/routes.test.ts', ...pathsUnder('test/support')].filter((path) =>
    /routes?|examples?/.test(path),
  );
  const text = places
    .filter((path) => pathsUnder('test').includes(path))
    .map(read)
    .join('\n');
  return Object.keys(routes).flatMap((name) =>
    new RegExp(`\\b${name}\\b`).test(text) ? [] : [`The route ${name} has no example. Add it to test/routes.test.ts.`],
  );
}

function errorsWithoutTest(tests: readonly Source[]): string[] {
  const text = tests.filter(({ path }) => !path.startsWith('test/support/tidy/')).map((source) => source.text);
  return Object.entries(errors).flatMap(([name, [code]]) =>
    text.some((each) => each.includes(`'${name}'`) || each.includes(code))
      ? []
      : [`No test meets the error ${name} (${code}). Write one that causes it.`],
  );
}

function commandsWithoutExample(src: readonly Source[]): string[] {
  return src
    .filter(({ path }) => path.startsWith('src/cli/commands/'))
    .flatMap((source) => (hasExample(source) ? [] : [`${source.path} has no example. Give it "static examples".`]));
}

function hasExample(source: Source): boolean {
  let has = false;
  walk(source.tree, (node) => {
    if (!ts.isPropertyDeclaration(node) || node.name.getText() !== 'examples' || !node.initializer) return;
    has ||= ts.isArrayLiteralExpression(node.initializer) && node.initializer.elements.length > 0;
  });
  return has;
}

function dependenciesWithoutReason(): string[] {
  const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;
  const lines = pathsUnder('src').includes('src/README.md') ? read('src/README.md').split('\n') : [];
  return Object.keys({ ...dependencies, ...devDependencies }).flatMap((name) =>
    lines.some((line) => line.includes(`\`${name}\``) && line.trim().split(/\s+/).length > 4)
      ? []
      : [`The dependency ${name} has no reason. Give it a sentence in src/README.md, or remove it.`],
  );
}
