import { builtinModules } from 'node:module';
import { finding } from './finding.js';
import type { Import, Source } from './sources.js';

interface Row {
  /** Folders of `src`; a path narrows a folder to one file. */
  readonly src: readonly string[];
  /** npm package → the only files of the folder that may import it; all files if empty. */
  readonly npm: Readonly<Record<string, readonly string[]>>;
  /** Only types may be imported from these. */
  readonly types?: readonly string[];
}

function inWire(...names: readonly string[]): string[] {
  return names.map((name) => `wire/${name}.ts`);
}

function inAdapters(...names: readonly string[]): string[] {
  return names.map((name) => `adapters/${name}`);
}

function inSupervisor(...names: readonly string[]): string[] {
  return names.map((name) => `supervisor/${name}.ts`);
}

/** The allowed imports by folder. Imports within a folder are always allowed. */
const matrix: Readonly<Record<string, Row>> = {
  wire: { src: [], npm: { '@sinclair/typebox': [] } },
  domain: {
    src: ['wire'],
    npm: {
      '@noble/curves': ['chain/signature.ts'],
      '@noble/hashes': ['chain/keys.ts'],
      ajv: ['schema/draft.ts'],
      'ajv-formats': ['schema/format.ts'],
      re2js: ['schema/pattern.ts', 'events/filter.ts'],
    },
  },
  ports: { src: [], types: ['wire', 'domain'], npm: {} },
  pipeline: { src: ['wire', 'domain', 'ports'], npm: {} },
  adapters: {
    src: ['wire', 'domain', 'ports', 'http', 'postgres'],
    npm: {
      pg: ['database/postgres.ts', 'database/postgres/'],
      knex: ['database/'],
      sqlite3: ['database/', 'files/lock.ts'],
      ethers: ['blockchain/', 'contract-codec/', 'token-connector/'],
      ws: ['blockchain/connection/socket-connection.ts'],
      pino: ['log/'],
      'prom-client': ['metrics/'],
    },
  },
  postgres: { src: ['ports/database-form.ts'], npm: { pg: [] } },
  http: { src: ['wire'], types: ['ports', 'client/transport.ts'], npm: { koa: [] } },
  node: {
    src: ['wire', 'domain', 'ports', 'pipeline', 'adapters', 'http', 'postgres/address.ts'],
    npm: {
      koa: [],
      '@koa/router': [],
      'raw-body': ['requests/body.ts'],
      busboy: ['data/upload.ts'],
      ws: [],
      '@sinclair/typebox': [],
    },
  },
  devchain: {
    src: [
      'http',
      'ports',
      ...inWire('errors/disk', 'errors/error', 'errors/sentence'),
      ...inAdapters('files', 'log', 'failpoint'),
    ],
    npm: { hardhat: ['engine/chain.ts'], koa: [], ws: [], 'raw-body': [], '@sinclair/typebox': [] },
  },
  sharedstore: {
    src: [
      'http',
      'ports',
      ...inWire('errors/disk', 'errors/error', 'errors/sentence'),
      ...inAdapters('files', 'log', 'clock', 'failpoint'),
    ],
    npm: { busboy: [], koa: [], '@sinclair/typebox': [] },
  },
  supervisor: {
    src: [
      'http',
      'ports',
      'wire/errors/error.ts',
      'adapters/files',
      'adapters/log',
      'adapters/clock',
      'adapters/failpoint',
    ],
    npm: { koa: [], '@sinclair/typebox': [], dockerode: ['engine.ts', 'services/container.ts'] },
  },
  client: { src: ['wire'], npm: {} },
  bench: { src: ['client', 'http/client'], npm: {} },
  stack: {
    // Names and formats that both programs share: the stack repairs what a dead supervisor left.
    src: [
      'wire',
      'domain/chain',
      'client',
      'http/program.ts',
      'http/client',
      'http/secure-route.ts',
      'ports/database-form.ts',
      // Snapshots are read without opening them as a database.
      'adapters/database/dialect/ids.ts',
      'postgres',
      ...inSupervisor(
        'plan',
        'control/view',
        'services/progress-timeout',
        'files/json-file',
        'files/private-file',
        'control/own-socket',
        'machine/identity',
        'files/logs',
        'machine/directory',
        'machine/orphans',
        'machine/environment',
        'engine',
      ),
    ],
    types: ['*/config.ts', 'supervisor/control/control.ts'],
    npm: {
      '@sinclair/typebox': [],
      ethers: ['running/contracts.ts'],
      yaml: [],
      '@peculiar/x509': ['keys/certificate.ts'],
      tar: ['archive.ts', 'engines/image.ts'],
      dockerode: ['engines/container-engine.ts'],
      sqlite3: ['engines/sqlite.ts'],
      pg: ['engines/external-database.ts'],
      ws: ['engines/chain/socket.ts'],
    },
  },
  // The module checks idleness as `stack wait --for idle` does.
  testing: {
    src: [
      'wire',
      'client',
      'stack',
      'cli/stack/watching/wait-for.ts',
      'cli/stack/starting/after-start.ts',
      'cli/requests/credentials.ts',
      'cli/terminal/output.ts',
    ],
    npm: {},
  },
  // Filters of events read the same fields, and are limited by the same code, as in nodes.
  ui: {
    src: ['wire', 'client', 'domain/schema/pattern.ts', 'domain/events/filter-fields.ts'],
    npm: {
      re2js: ['src/pages/events/filter.ts'],
      react: [],
      'react-dom': ['src/main.tsx'],
      '@tanstack/react-query': [],
      '@tanstack/react-virtual': ['src/components/'],
      '@sinclair/typebox': [],
      vite: ['vite.config.ts', 'build/'],
      '@vitejs/plugin-react': ['vite.config.ts'],
    },
  },
  // The command line filters listed events with the code that filters deliveries.
  cli: {
    src: [
      'wire',
      'client',
      'bench',
      'stack',
      'http/client',
      'http/secure-route.ts',
      'domain/chain/keys.ts',
      'domain/events/filter.ts',
      'domain/events/filter-fields.ts',
      'supervisor/machine/memory.ts',
    ],
    npm: { '@oclif/core': [], ws: [], execa: ['child.ts'] },
  },
};

/** The only file that may import both stages and adapters. */
const compositionRoot = 'src/node/node.ts';

/** Finds imports that the folder or npm matrix does not allow. */
export function forbiddenImports(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => source.imports.flatMap((each) => judge(source, each)));
}

function judge(source: Source, each: Import): string[] {
  const [folder = '', ...rest] = placeOf(source.path).split('/');
  const row = matrix[folder];
  const at = (problem: string, instead: string) => [finding(source, each.line, problem, instead)];
  if (row === undefined)
    return at(`stands in the unknown folder ${folder}`, 'Put it where docs/architecture.md §7 has a place for it.');
  if (each.node !== undefined) {
    return ['wire', 'client'].includes(folder) || source.path.startsWith('ui/src/')
      ? at(`imports ${each.specifier}`, `${folder} also runs in a browser: take what you need as an argument.`)
      : [];
  }
  if (each.npm !== undefined)
    return isAllowedNpm(row, each.npm, rest.join('/')) ? [] : at(...npmAdvice(folder, each.npm, row));
  return isAllowedFile(row, folder, each) ? [] : at(`imports ${each.specifier}`, folderAdvice(folder, row));
}

/** Returns a path relative to `src`; the explorer is beside it. */
function placeOf(path: string): string {
  return path.replace(/^src\//, '');
}

function isAllowedNpm(row: Row, name: string, path: string): boolean {
  const files = row.npm[name];
  return (
    files !== undefined &&
    (files.length === 0 || files.some((file) => path === file || (file.endsWith('/') && path.startsWith(file))))
  );
}

function npmAdvice(folder: string, name: string, row: Row): [string, string] {
  if (builtinModules.includes(name)) return [`imports ${name}`, `Write node:${name}.`];
  const files = row.npm[name];
  if (files) return [`imports ${name}`, `In ${folder} only ${files.join(', ')} may: call that file.`];
  return [
    `imports ${name}`,
    `${folder} may use ${list(Object.keys(row.npm))}: take what you need as an argument or a port.`,
  ];
}

function isAllowedFile(row: Row, folder: string, each: Import): boolean {
  const target = placeOf(each.file ?? '');
  if (target.startsWith(`${folder}/`)) return true;
  const within = (place: string) =>
    place.startsWith('*/') ? target.endsWith(place.slice(1)) : target === place || target.startsWith(`${place}/`);
  return row.src.some(within) || (each.isTypeOnly && (row.types ?? []).some(within));
}

function folderAdvice(folder: string, row: Row): string {
  const types = row.types ? ` and the types of ${list(row.types)}` : '';
  return `${folder} may import ${list(row.src)}${types}: move the code, or take it as an argument.`;
}

function list(words: readonly string[]): string {
  return words.length === 0 ? 'nothing' : words.join(', ');
}

/**
 * Finds imports between adapters of different ports, and files other than the composition root that import both stages
 * and adapters.
 */
export function meetings(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => {
    const [, folder, port] = source.path.split('/');
    const foreign = source.imports.filter(({ file }) => {
      const [, targetFolder, targetPort] = (file ?? '').split('/');
      return folder === 'adapters' && targetFolder === 'adapters' && targetPort !== port;
    });
    const touches = (name: string) =>
      source.imports.find(({ file, isTypeOnly }) => file?.startsWith(`src/${name}/`) && !isTypeOnly);
    const adapter = touches('adapters');
    const both = source.path !== compositionRoot && touches('pipeline') && adapter ? [adapter] : [];
    return [
      ...foreign.map((each) =>
        finding(source, each.line, `imports another port's adapter`, 'Take that port as an argument.'),
      ),
      ...both.map((each) =>
        finding(source, each.line, 'joins pipeline and adapters', `Only ${compositionRoot} does: pass the port in.`),
      ),
    ];
  });
}

/** Finds cycles of imports, including type imports; each is reported as its path. */
export function cycles(sources: readonly Source[]): string[] {
  const targets = new Map(sources.map(({ path, imports }) => [path, imports.flatMap(({ file }) => file ?? [])]));
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0)
      found.push(`${[...trail.slice(start), path].join(' → ')}. Move what both need into a file of its own.`);
    if (start >= 0 || done.has(path)) return;
    for (const target of targets.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of targets.keys()) visit(path, []);
  return found;
}
