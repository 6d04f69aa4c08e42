import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { profiles } from '../domain/network/profile.js';
import { assertConforms } from '../wire/check.js';
import { ServiceError } from '../wire/errors/error.js';
import { read } from '../wire/json/json-reader.js';
import { nearestHint } from '../wire/lists/query.js';
import { oneOf } from '../wire/scalar.js';
import { connectorNames } from '../wire/tokens/connector.js';

const texts = Type.Array(Type.String());

/** The configuration file of a node: JSON with these keys; unknown ones are refused. */
const NodeFile = Type.Object({
  version: Type.Literal(1),
  organization: Type.String(),
  node: Type.String(),
  host: Type.Optional(Type.String()),
  port: Type.Integer({ minimum: 0, maximum: 65_535 }),
  /** The address by which others call its API, if it is not `host` and `port`. */
  advertise: Type.Optional(Type.String({ pattern: '^https?://[^/\\s@]+$' })),
  /** The certificate of the API, which then speaks HTTPS; absent: plain HTTP. */
  tls: Type.Optional(Type.Object({ certificateFile: Type.String(), keyFile: Type.String() })),
  /** Whether everyone who can reach `host` may call it; then no authentication is needed beyond loopback. */
  trustedNetwork: Type.Optional(Type.Boolean()),
  dataDirectory: Type.String(),
  keyFile: Type.String(),
  /** The directory of its other keys, one file each; default: a directory in `dataDirectory`. */
  walletDirectory: Type.Optional(Type.String()),
  /** The listener for peers, with its key and certificate; port 0 = any free port. */
  peer: Type.Object({
    host: Type.Optional(Type.String()),
    port: Type.Integer({ minimum: 0, maximum: 65_535 }),
    /** The address of its peer listener in the registry, if it is not `host` and `port`. */
    advertise: Type.Optional(Type.String({ pattern: '^https://[^/\\s@]+$' })),
    keyFile: Type.String(),
    certificateFile: Type.String(),
    /**
     * Identifies the copy of a network to which this node belongs: it connects to no node of another copy. Absent for
     * the original.
     */
    copy: Type.Optional(Type.String({ pattern: '^[0-9a-f]{16}$' })),
  }),
  chain: Type.Object({
    /** `http(s)://` or `ws(s)://`. Over HTTP the newest block is polled. */
    url: Type.String(),
    /** The chain's WebSocket, which is used instead of `url` if it is given. */
    ws: Type.Optional(Type.String()),
    /** Limits for the fees that the chain suggests; absent: the fixed ones of a local chain. */
    fees: Type.Optional(Type.Object({ maxGwei: Type.Optional(Type.Number()), tipGwei: Type.Optional(Type.Number()) })),
    confirmations: Type.Integer({ minimum: 0 }),
    contractsFile: Type.String(),
    /** Whether the organisation's key funds keys of the wallet; default: false. */
    fundsKeys: Type.Optional(Type.Boolean()),
    /** The file with its credentials: a token, or user:password. */
    tokenFile: Type.Optional(Type.String()),
  }),
  /** `tokenFile`: the file with its credentials, a token or user:password. */
  store: Type.Object({ apiUrl: Type.String(), gatewayUrl: Type.String(), tokenFile: Type.Optional(Type.String()) }),
  namespaces: Type.Array(Type.String(), { minItems: 1 }),
  /** The profile recorded with the network. */
  profile: Type.Optional(oneOf(profiles)),
  /** The token connectors, the default one first; without an address, the contract of `contractsFile` is used. */
  tokens: Type.Optional(
    Type.Array(
      Type.Object({
        name: oneOf(connectorNames),
        address: Type.Optional(Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' })),
      }),
    ),
  ),
  blobs: Type.Optional(
    Type.Object({
      maxBlobBytes: Type.Optional(Type.Integer({ minimum: 0 })),
      /** Limit in bytes for files that a peer sends for batches that are not pinned yet. */
      maxUnpinnedBytes: Type.Optional(Type.Integer({ minimum: 0 })),
      minFreeBytes: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
  ),
  /** The highest form to which an older database may be migrated; absent: the newest that the program knows. */
  databaseForm: Type.Optional(Type.Integer({ minimum: 1 })),
  /** The database of the node; absent: a file of SQLite in `dataDirectory`. */
  postgres: Type.Optional(
    Type.Object({
      /** The file with the address of the database, which contains a password. */
      urlFile: Type.String(),
      schema: Type.String(),
      /** The name that the schema records: another node cannot use it. */
      owner: Type.String(),
    }),
  ),
  limits: Type.Optional(
    Type.Object({
      /** Bytes. With less free disk space a node refuses to create its database. Blobs leave twice as much free. */
      minFreeDisk: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
  ),
  /** Limits of the node's own batches; default: those of the network. */
  batch: Type.Optional(
    Type.Object({
      maxMessages: Type.Integer({ minimum: 1 }),
      maxBytes: Type.Integer({ minimum: 1 }),
      /** Milliseconds that batches of a key may gather under steady traffic; default: 0, no delay. */
      paceMs: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
  ),
  /** The file of credentials; without it there is no authentication, and the API listens on loopback only. */
  auth: Type.Optional(Type.Object({ file: Type.String() })),
  webhooks: Type.Optional(
    Type.Object({
      /** Ranges of private addresses that webhooks may call. */
      allow: Type.Optional(texts),
      /** Ports of the stack on this machine, which no webhook may call. */
      closedPorts: Type.Optional(Type.Array(Type.Integer({ minimum: 1, maximum: 65_535 }))),
    }),
  ),
  /** Whether to serve the read part of FireFly's interface for services beside a node (docs/api.md §21.4). */
  spi: Type.Optional(Type.Object({ enabled: Type.Boolean() })),
  hosts: Type.Optional(texts),
  cors: Type.Optional(Type.Object({ origins: texts })),
  /** The name of the stack, for the commands that the explorer shows. */
  stack: Type.Optional(Type.String()),
  /** The nodes of the stack by party, for links between explorers. */
  explorers: Type.Optional(Type.Array(Type.Object({ name: Type.String(), url: Type.String() }))),
  /** The file of the parties that have joined since the stack started. */
  laterParties: Type.Optional(Type.Object({ file: Type.String() })),
  /** The socket of the stack's supervisor for the explorer; only on loopback and without `auth`. */
  stackView: Type.Optional(Type.Object({ socket: Type.String(), service: Type.String() })),
  /** The file of injected faults; only on loopback. */
  faults: Type.Optional(Type.Object({ file: Type.String() })),
  log: Type.Optional(Type.Object({ level: Type.Optional(oneOf(['debug', 'info', 'warn', 'error'])) })),
});

/** Keys that have no default. */
type Missing =
  | 'advertise'
  | 'auth'
  | 'batch'
  | 'databaseForm'
  | 'postgres'
  | 'stack'
  | 'stackView'
  | 'laterParties'
  | 'walletDirectory'
  | 'faults'
  | 'tls'
  | 'profile';

/** A node's configuration with defaults. */
export type NodeConfig = Readonly<
  Required<Omit<Static<typeof NodeFile>, Missing>> & Pick<Static<typeof NodeFile>, Missing>
>;

/** The file that the task which deployed the contracts writes for the nodes. */
const ContractsFile = Type.Object({
  chainId: Type.Integer(),
  genesisHash: Type.String(),
  network: Type.Object({ address: Type.String(), block: Type.Integer({ minimum: 0 }) }),
  /** The contract of each token connector; absent in networks of earlier versions until the task has run again. */
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
  requireReachable(path, value);
  const defaults = {
    host: '127.0.0.1',
    trustedNetwork: false,
    cors: { origins: [] },
    explorers: [],
    log: {},
    blobs: {},
    limits: {},
    webhooks: {},
    tokens: [],
    spi: { enabled: false },
  };
  // Requests to that address name its host and port, which are not those of the listener.
  const advertised = value.advertise === undefined ? [] : [new URL(value.advertise).host];
  return Object.freeze({ ...defaults, ...value, hosts: [...(value.hosts ?? []), ...advertised] });
}

/** Wildcard addresses, which stand for all addresses of a machine and cannot be called. */
const wildcards = ['0.0.0.0', '::'];

function requireReachable(path: string, { peer }: Static<typeof NodeFile>): void {
  if (peer.advertise !== undefined || !wildcards.includes(peer.host ?? '')) return;
  throw new Error(
    `${path}: peer.host is ${peer.host}, which no peer can call: add peer.advertise, such as https://10.0.0.5:5000`,
  );
}

/** Reads `contracts.json`; undefined if it does not exist yet. @throws Error if it is damaged */
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
 * Parses a file by a schema. `unknown` are the paths of the keys that the schema does not name.
 *
 * @throws Error that names the file and the fault
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
