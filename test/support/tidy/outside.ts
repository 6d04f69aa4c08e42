import ts from '@typescript/typescript6';
import { finding } from './finding.js';
import { type Source, walk } from './sources.js';

/** A use of the outside world that only some files may make. */
interface Rule {
  /** Files where the rule applies, and exceptions. */
  readonly within: RegExp;
  readonly except: readonly (RegExp | string)[];
  /** Expressions such as `Date`, `JSON.parse`, `process.env`, `.innerHTML`, or modules such as `node:timers`. */
  readonly words: readonly string[];
  readonly instead: string;
}

const timeAndChance = [
  'Date',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'performance',
  'Math.random',
  'AbortSignal.timeout',
  'randomUUID',
  'randomBytes',
  'randomInt',
  'crypto.getRandomValues',
  'crypto.randomUUID',
  'process.hrtime',
  'node:timers',
  'node:timers/promises',
  'node:perf_hooks',
];

const rules: readonly Rule[] = [
  {
    within: /^src\/(domain|pipeline|node)\//,
    except: [],
    words: timeAndChance,
    instead: 'Time and chance come from the ports clock and random.',
  },
  { within: /^src\/(domain|pipeline)\//, except: [], words: ['process'], instead: 'Take it as an argument.' },
  {
    within: /^src\//,
    except: [
      'src/wire/json/json.ts',
      'src/wire/json/json-reader.ts',
      'src/http/answers/errors.ts', // {"error": …}
      'src/adapters/blockchain/connection/socket-connection.ts',
      'src/adapters/blockchain/connection/http-connection.ts',
      'src/adapters/blockchain/memory/call.ts', // JSON-RPC
      /^src\/(devchain|sharedstore|supervisor|stack|cli|bench)\//, // our own formats, never a user's JSON
      'src/http/config.ts', // configuration files of the same programs
    ],
    words: ['JSON.parse', 'JSON.stringify'],
    instead: `A user's JSON stays text: wire/json/json.ts reads and writes it.`,
  },
  {
    within: /^src\//,
    except: [/^src\/\w+\/config\.ts$/, 'src/cli/base.ts'],
    words: ['process.env'],
    instead: 'Read it in config.ts (or cli/base.ts) and pass it on.',
  },
  { within: /^src\//, except: [], words: ['console'], instead: 'Use the port log; in cli, output.ts.' },
  {
    within: /^src\/cli\//,
    except: ['src/cli/main.ts', 'src/cli/base.ts'], // hand both streams to output.ts
    words: ['process.stdout', 'process.stderr'],
    instead: 'Write with output.ts, which lets nothing act on a terminal.',
  },
  {
    within: /^src\//,
    except: [
      'src/supervisor/services/process.ts',
      'src/stack/control/processes.ts',
      'src/cli/child.ts',
      'src/devchain/engine/anvil-process.ts', // an engine that is a program
      'src/supervisor/machine/system-programs.ts', // asks ps where there is no /proc
    ],
    words: ['node:child_process', 'node:cluster'],
    instead: 'Child processes start in supervisor/services/process.ts, stack/control/processes.ts and cli/child.ts.',
  },
  {
    within: /^src\//,
    except: [
      'src/http/server.ts', // for listener.ts, which has the gate
      'src/supervisor/control/socket-server.ts', // a Unix socket: no Host, no Origin, and the file's mode is its gate
      'src/stack/ports/free-port.ts', // asks whether a port is free, and answers nobody
      'src/stack/ports/claims.ts', // takes a port from others, and answers nobody
    ],
    words: ['createServer', 'createSecureServer', 'app.listen'],
    instead: 'Open it with http/listener.ts, so that the gate cannot be forgotten.',
  },
  {
    within: /^(src|ui)\//,
    except: [],
    words: ['.innerHTML', '.outerHTML', '.insertAdjacentHTML', '.srcdoc', 'document.write', 'document.writeln'],
    instead: 'Write text nodes.',
  },
  {
    within: /^ui\/src\//,
    except: [],
    words: ['JSON.parse', 'JSON.stringify', 'console'],
    instead: `A user's JSON stays text (src/wire/json/json.ts), and what goes wrong is shown in the page.`,
  },
];

/**
 * Functions of Node allowed in `domain` and `pipeline`: hashes depend only on their input, and assertions have no
 * effect.
 */
const pureModules: Readonly<Record<string, readonly string[]>> = {
  crypto: ['createHash', 'hash', 'createHmac', 'timingSafeEqual', 'createECDH'],
  assert: [],
  'assert/strict': [],
};

/** Finds uses of time, chance, environment, console, processes, sockets and JSON outside the allowed files. */
export function worldlyUses(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => {
    const holding = rules.filter(
      ({ within, except }) => within.test(source.path) && !except.some(matches(source.path)),
    );
    const modules = source.imports.flatMap((each) =>
      holding.flatMap((rule) =>
        rule.words.includes(each.specifier)
          ? [finding(source, each.line, `imports ${each.specifier}`, rule.instead)]
          : [],
      ),
    );
    return [...modules, ...usesIn(source, holding), ...impureModules(source)];
  });
}

function matches(path: string): (place: RegExp | string) => boolean {
  return (place) => (typeof place === 'string' ? place === path : place.test(path));
}

function usesIn(source: Source, holding: readonly Rule[]): string[] {
  const found: string[] = [];
  walk(source.tree, (node) => {
    const words = wordsOf(node);
    for (const rule of holding) {
      const word = words.find((each) => rule.words.includes(each));
      if (word !== undefined) found.push(finding(source, node, `uses ${word}`, rule.instead));
    }
  });
  return found;
}

/** The names of a node in rules: a variable's name, or a member as `object.member` and `.member`. */
function wordsOf(node: ts.Node): string[] {
  if (ts.isPropertyAccessExpression(node)) {
    const object = ts.isIdentifier(node.expression) ? [`${node.expression.text}.${node.name.text}`] : [];
    return [...object, `.${node.name.text}`];
  }
  return ts.isIdentifier(node) && isVariable(node) ? [node.text] : [];
}

/** Whether an identifier is a value and not a member, a key or a type. */
function isVariable(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  return !(
    ts.isTypeReferenceNode(parent) ||
    ts.isTypeElement(parent) ||
    ts.isImportSpecifier(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isBindingElement(parent) ||
    ts.isParameter(parent)
  );
}

function impureModules(source: Source): string[] {
  if (!/^src\/(domain|pipeline)\//.test(source.path)) return [];
  return source.imports.flatMap((each) => {
    if (each.node === undefined || each.isTypeOnly) return [];
    const allowed = pureModules[each.node];
    const isPure =
      allowed &&
      (allowed.length === 0 || (each.names.length > 0 && each.names.every((name) => allowed.includes(name))));
    return isPure
      ? []
      : [
          finding(
            source,
            each.line,
            `imports ${each.names.join(', ')} from ${each.specifier}`,
            'Take a port as an argument.',
          ),
        ];
  });
}
