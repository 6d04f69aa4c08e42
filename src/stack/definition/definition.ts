import type { Static } from '@sinclair/typebox';
import { type ExternalChain, externalChainOf, pathOf } from '../settings/chain-settings.js';
import { databaseOf, type PostgresSettings } from '../settings/database-settings.js';
import type { PartyNames, StackDefinition } from '../settings/definition-schema.js';
import { type ExternalStore, externalStoreOf } from '../settings/store-settings.js';
import { type DockerSettings, dockerSettingsOf } from '../settings/docker-settings.js';
import { tlsOf, type TlsSettings } from '../settings/tls-settings.js';
import { type TokenSettings, tokenSettingsOf } from '../settings/token-settings.js';
import type { UserDefaults } from './user-defaults.js';

export interface PartySettings {
  readonly name: string;
  readonly organization: string;
  readonly node: string;
  /** The PostgreSQL database of its node; absent for SQLite. */
  readonly database?: PostgresSettings;
  /** The certificate of its node's API; absent for plain HTTP. */
  readonly tls?: TlsSettings;
  /** The file of its signing key, which is copied once; absent: a new key is created. */
  readonly keyFile?: string;
  /** Whether the user runs its node at every start, instead of the stack. */
  readonly isExternal?: true;
}

/** Additional origins of web pages that may call a service. */
export interface CorsSettings {
  readonly origins: readonly string[];
}

/** A definition with all defaults. */
export interface StackSettings {
  readonly name: string;
  readonly template: string;
  /** Distinguishes a copy of a network from its original and from other copies; empty for an original. */
  readonly copy: string;
  /** The product whose rules take precedence over the specification; null = none. */
  readonly profile: 'firefly' | null;
  /** The services that run in containers; null: none. */
  readonly docker: DockerSettings | null;
  /** The address of each node's API. */
  readonly bind: string;
  /** The name or address by which other machines reach this one, for peers of its nodes; null: they cannot. */
  readonly advertise: string | null;
  /** Whether chain and store listen on `bind` too, and require no token. */
  readonly trustedNetwork: boolean;
  readonly parties: readonly PartySettings[];
  readonly namespaces: readonly string[];
  readonly chain: {
    /** The program that makes the blocks of the stack's own chain. */
    readonly engine: 'hardhat' | 'anvil';
    readonly chainId: number;
    readonly genesisTime: string;
    /** `auto`: a block for each transaction, at once. */
    readonly mining: 'auto' | { readonly intervalMs: number };
    /** Whether `evm_revert` may remove blocks. */
    readonly allowRevert: boolean;
    readonly cors: CorsSettings;
    /** The chain that others run; null for the stack's own, to which the other settings apply. */
    readonly external: ExternalChain | null;
  };
  readonly store: {
    readonly cors: CorsSettings;
    /** The IPFS node that others run; null for the stack's own store, to which `cors` applies. */
    readonly external: ExternalStore | null;
  };
  readonly tokens: TokenSettings;
  readonly keys: { readonly source: 'random' | 'test' };
  readonly accounts: { readonly spare: number };
  readonly auth: { readonly enabled: boolean };
  /** Whether nodes serve FireFly's SPI, for reading. */
  readonly spi: { readonly enabled: boolean };
  readonly webhooks: { readonly allow: readonly string[] };
  /** Additional host names of the listeners, such as `host.docker.internal`. */
  readonly hosts: readonly string[];
  /** Origins that may call the nodes. */
  readonly cors: CorsSettings;
  readonly ports: {
    readonly base: 'auto' | 'os' | number;
    /** The first port of the nodes' APIs, if `base` is a number; default: after `base`. */
    readonly nodes?: number;
  };
  /** Paths of seed files, relative to the definition. */
  readonly seed: readonly string[];
  /** Command lines that run when the stack is ready, and before it is stopped. */
  readonly hooks: { readonly ready: readonly string[]; readonly stop: readonly string[] };
  readonly restart: { readonly max: number; readonly windowMs: number };
  readonly limits: {
    /** Bytes: with less free disk space the stack does not start, and nothing is added to the store. */
    readonly minFreeDisk: number;
    readonly maxBlobBytes: number;
    /** Limit in bytes for files that a peer sends for batches that are not pinned yet. */
    readonly maxUnpinnedBytes: number;
  };
  /** Limits of a node's own batches; the network allows larger ones from others. */
  readonly batch: {
    readonly maxMessages: number;
    readonly maxBytes: number;
    /** Milliseconds between the batches of a key under steady traffic. */
    readonly paceMs: number;
  };
  readonly logs: {
    readonly level: 'debug' | 'info' | 'warn' | 'error';
    readonly maxBytes: number;
    readonly maxFiles: number;
  };
}

/** The defaults, where neither the definition nor the user's file has a value. */
export const defaults = {
  template: 'none',
  runtime: 'process',
  bind: '127.0.0.1',
  trustedNetwork: false,
  namespaces: ['default'],
  chain: {
    provider: 'hardhat',
    chainId: 31_337,
    genesisTime: '2026-01-01T00:00:00Z',
    mining: 'auto',
    allowRevert: false,
    cors: { origins: [] },
  },
  store: { provider: 'local', cors: { origins: [] } },
  database: { provider: 'sqlite3' },
  tokens: { connectors: [{ name: 'erc1155' }], pools: [] },
  keys: { source: 'random' },
  accounts: { spare: 5 },
  auth: { enabled: false },
  spi: { enabled: false },
  webhooks: { allow: [] },
  hosts: [],
  cors: { origins: [] },
  ports: { base: 'auto' },
  seed: [],
  hooks: { ready: [], stop: [] },
  restart: { max: 5, windowMs: 60_000 },
  limits: { minFreeDisk: 268_435_456, maxBlobBytes: 68_719_476_736, maxUnpinnedBytes: 68_719_476_736 },
  batch: { maxMessages: 200, maxBytes: 819_200, paceMs: 200 },
  logs: { level: 'info', maxBytes: 20_971_520, maxFiles: 5 },
} as const;

/** On a chain that others run, spare accounts would have no funds. */
const externalAccounts = { spare: 0 };

/** The defaults that apply to a definition: a chain that others run has no settings of the local one. */
export function defaultsFor({ chain }: Pick<StackDefinition, 'chain'>): object {
  const external = externalChainOf(chain);
  if (external === null) return defaults;
  return { ...defaults, chain: { confirmations: external.confirmations }, accounts: externalAccounts };
}

/** The settings of a definition; `user` supplies missing ones. */
export function settingsOf(definition: StackDefinition, user: UserDefaults = {}): StackSettings {
  const parties = definition.parties.map((party) => partyOf(definition, party));
  const { chain, store } = definition;
  const external = externalChainOf(chain);
  return {
    name: definition.name,
    template: definition.template ?? defaults.template,
    copy: definition.copy ?? '',
    profile: definition.profile ?? null,
    docker: dockerSettingsOf(definition),
    bind: definition.bind ?? defaults.bind,
    advertise: definition.advertise ?? null,
    trustedNetwork: definition.trustedNetwork ?? defaults.trustedNetwork,
    parties,
    namespaces: definition.namespaces ?? defaults.namespaces,
    chain: {
      engine: chain?.provider === 'anvil' ? 'anvil' : 'hardhat',
      chainId: chain?.chainId ?? defaults.chain.chainId,
      genesisTime: chain?.genesisTime ?? defaults.chain.genesisTime,
      mining: chain?.mining ?? defaults.chain.mining,
      allowRevert: chain?.allowRevert ?? defaults.chain.allowRevert,
      cors: { ...defaults.chain.cors, ...chain?.cors },
      external,
    },
    store: { cors: { ...defaults.store.cors, ...store?.cors }, external: externalStoreOf(store) },
    tokens: tokenSettingsOf(
      definition.tokens,
      parties.map(({ name }) => name),
      definition.profile,
    ),
    keys: { ...defaults.keys, ...definition.keys },
    accounts: { ...(external === null ? defaults.accounts : externalAccounts), ...definition.accounts },
    auth: { ...defaults.auth, ...definition.auth },
    spi: { ...defaults.spi, ...definition.spi },
    webhooks: { ...defaults.webhooks, ...user.webhooks, ...definition.webhooks },
    hosts: definition.hosts ?? defaults.hosts,
    cors: { ...defaults.cors, ...user.cors, ...definition.cors },
    ports: { ...defaults.ports, ...definition.ports },
    seed: definition.seed ?? defaults.seed,
    hooks: { ...defaults.hooks, ...definition.hooks },
    restart: { ...defaults.restart, ...user.restart, ...definition.restart },
    limits: { ...defaults.limits, ...user.limits, ...definition.limits },
    batch: { ...defaults.batch, ...user.batch, ...definition.batch },
    logs: { ...defaults.logs, ...user.logs, ...definition.logs },
  };
}

/** The names of a party, with defaults for organisation and node. */
export function namesOf({
  name,
  org = name,
  node = `${name}-node`,
}: Static<typeof PartyNames>): Pick<PartySettings, 'name' | 'organization' | 'node'> {
  return { name, organization: org, node };
}

function partyOf(definition: StackDefinition, party: StackDefinition['parties'][number]): PartySettings {
  const given = typeof party === 'string' ? { name: party } : party;
  const { name, database: own, key, external } = given;
  const { tls = definition.tls } = typeof party === 'string' ? {} : party;
  const database = databaseOf(definition.name, { name }, own, definition.database);
  const keyFile = pathOf(key);
  return {
    ...namesOf(given),
    ...(database && { database }),
    ...(tls && { tls: tlsOf(tls) }),
    ...(keyFile !== null && { keyFile }),
    ...(external === true && { isExternal: true as const }),
  };
}
