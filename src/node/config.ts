import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { assertConforms } from '../wire/check.js';
import { ServiceError } from '../wire/error.js';
import { read } from '../wire/json-reader.js';
import { nearestHint } from '../wire/query.js';
import { oneOf } from '../wire/scalar.js';

const texts = Type.Array(Type.String());

/** The configuration file of a node: JSON, every key named here, unknown ones refused. */
const NodeFile = Type.Object({
  version: Type.Literal(1),
  organization: Type.String(),
  node: Type.String(),
  host: Type.Optional(Type.String()),
  port: Type.Integer({ minimum: 0, maximum: 65_535 }),
  dataDirectory: Type.String(),
  keyFile: Type.String(),
  /** Where it listens for its peers, and what it proves itself with; port 0 = any free one. */
  peer: Type.Object({
    host: Type.Optional(Type.String()),
    port: Type.Integer({ minimum: 0, maximum: 65_535 }),
    keyFile: Type.String(),
    certificateFile: Type.String(),
  }),
  chain: Type.Object({
    url: Type.String(),
    confirmations: Type.Integer({ minimum: 0 }),
    contractsFile: Type.String(),
    /** The token that the chain asks for. */
    tokenFile: Type.Optional(Type.String()),
  }),
  /** `tokenFile`: the token that the store asks for. */
  store: Type.Object({ apiUrl: Type.String(), gatewayUrl: Type.String(), tokenFile: Type.Optional(Type.String()) }),
  namespaces: Type.Array(Type.String(), { minItems: 1 }),
  /** Its token connectors, the default one first; without an address, the contract is that of `contractsFile`. */
  tokens: Type.Optional(
    Type.Array(
      Type.Object({
        name: oneOf(['erc1155', 'erc20_erc721']),
        address: Type.Optional(Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' })),
      }),
    ),
  ),
  blobs: Type.Optional(
    Type.Object({
      maxBlobBytes: Type.Optional(Type.Integer({ minimum: 0 })),
      /** Bytes of files that a peer may bring for batches that are not pinned yet. */
      maxUnpinnedBytes: Type.Optional(Type.Integer({ minimum: 0 })),
      minFreeBytes: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
  ),
  limits: Type.Optional(
    Type.Object({
      /** Bytes: with less room on its disk a node begins no database. Blobs leave twice as much free. */
      minFreeDisk: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
  ),
  /** How full it makes its batches; default: as full as the network allows. */
  batch: Type.Optional(
    Type.Object({
      maxMessages: Type.Integer({ minimum: 1 }),
      maxBytes: Type.Integer({ minimum: 1 }),
      /** Milliseconds between the batches of a key under steady traffic; default: 0, nothing waits. */
      paceMs: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
  ),
  /** Whom the API asks for a credential; without it nobody, and then it listens on loopback only. */
  auth: Type.Optional(Type.Object({ file: Type.String() })),
  webhooks: Type.Optional(
    Type.Object({
      /** Ranges of private addresses that webhooks may call. */
      allow: Type.Optional(texts),
      /** Ports of this machine that the stack listens on: no webhook may call them. */
      closedPorts: Type.Optional(Type.Array(Type.Integer({ minimum: 1, maximum: 65_535 }))),
    }),
  ),
  hosts: Type.Optional(texts),
  cors: Type.Optional(Type.Object({ origins: texts })),
  /** The nodes of the stack by party: the explorer leads from one to another. */
  explorers: Type.Optional(Type.Array(Type.Object({ name: Type.String(), url: Type.String() }))),
  /** The socket of the stack's supervisor for the explorer; only on loopback and without `auth`. */
  stackView: Type.Optional(Type.Object({ socket: Type.String(), service: Type.String() })),
  log: Type.Optional(Type.Object({ level: Type.Optional(oneOf(['debug', 'info', 'warn', 'error'])) })),
});

/** Keys that have no default. */
type Missing = 'auth' | 'batch' | 'stackView';

/** A node's configuration with its defaults filled in. */
export type NodeConfig = Readonly<
  Required<Omit<Static<typeof NodeFile>, Missing>> & Pick<Static<typeof NodeFile>, Missing>
>;

/** What the task that deployed the contracts has left behind for the nodes. */
const ContractsFile = Type.Object({
  chainId: Type.Integer(),
  genesisHash: Type.String(),
  network: Type.Object({ address: Type.String(), block: Type.Integer({ minimum: 0 }) }),
  /** Of each token connector; networks of earlier versions have none until the task has run again. */
  tokens: Type.Optional(Type.Array(Type.Object({ name: Type.String(), address: Type.String() }))),
});
const PackageFile = Type.Object({ version: Type.String() });
export type Contracts = Static<typeof ContractsFile>;

/**
 * Reads a node's configuration.
 *
 * @throws Error that names the file and the key: missing, of the wrong type, or unknown with the nearest known one
 */
export async function readNodeConfig(path: string): Promise<NodeConfig> {
  const { value, unknown } = parseFile(path, await readFile(path, 'utf8'), NodeFile);
  const [stranger] = unknown;
  if (stranger !== undefined) {
    throw new Error(`${path}: unknown key "${stranger}"${nearestHint(stranger, Object.keys(NodeFile.properties))}`);
  }
  const defaults = {
    host: '127.0.0.1',
    hosts: [],
    cors: { origins: [] },
    explorers: [],
    log: {},
    blobs: {},
    limits: {},
    webhooks: {},
    tokens: [],
  };
  return Object.freeze({ ...defaults, ...value });
}

/** Reads `contracts.json`; undefined while it is not there. @throws Error when it is damaged */
export async function readContracts(path: string): Promise<Contracts | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : parseFile(path, text, ContractsFile).value;
}

/** The version of this package. */
export async function readVersion(): Promise<string> {
  const path = fileURLToPath(new URL('../../package.json', import.meta.url));
  return parseFile(path, await readFile(path, 'utf8'), PackageFile).value.version;
}

/**
 * Reads the text of a file of ours along its schema. `unknown` are the paths of the keys that the schema does not name.
 *
 * @throws Error that names the file and what is wrong
 */
export function parseFile<T extends TSchema>(path: string, text: string, schema: T) {
  try {
    const { value, unknown } = read(text, schema);
    assertConforms(schema, value, 'the file');
    return { value, unknown };
  } catch (error) {
    if (error instanceof ServiceError) throw new Error(`${path}: ${error.text}`, { cause: error });
    throw error;
  }
}
