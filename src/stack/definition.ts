import type { StackDefinition } from './definition-schema.js';
import { type TokenSettings, tokenSettingsOf } from './token-settings.js';
import type { UserDefaults } from './user-defaults.js';

export interface PartySettings {
  readonly name: string;
  readonly organization: string;
  readonly node: string;
}

/** Origins of web pages that may call a service beside its own. */
export interface CorsSettings {
  readonly origins: readonly string[];
}

/** A definition with every default filled in. */
export interface StackSettings {
  readonly name: string;
  readonly template: string;
  /** Where the API of each node listens; everything else is on loopback in any case. */
  readonly bind: string;
  readonly parties: readonly PartySettings[];
  readonly namespaces: readonly string[];
  readonly chain: {
    readonly chainId: number;
    readonly genesisTime: string;
    /** `auto`: a block for each transaction, at once. */
    readonly mining: 'auto' | { readonly intervalMs: number };
    /** Whether `evm_revert` may take back blocks. */
    readonly allowRevert: boolean;
    readonly cors: CorsSettings;
  };
  readonly store: { readonly cors: CorsSettings };
  readonly tokens: TokenSettings;
  readonly keys: { readonly source: 'random' | 'test' };
  readonly accounts: { readonly spare: number };
  /** Whether every node asks for a credential. */
  readonly auth: { readonly enabled: boolean };
  /** Ranges of private addresses that webhooks may call. */
  readonly webhooks: { readonly allow: readonly string[] };
  /** Of the nodes. */
  readonly cors: CorsSettings;
  readonly ports: { readonly base: 'auto' | 'os' | number };
  readonly restart: { readonly max: number; readonly windowMs: number };
  readonly limits: {
    /** Bytes: with less room on the disk the stack does not start, and nothing is added to the store. */
    readonly minFreeDisk: number;
    readonly maxBlobBytes: number;
    /** Bytes of files that a peer may bring for batches that are not pinned yet. */
    readonly maxUnpinnedBytes: number;
  };
  /** The largest batch that a node makes; the network allows others to make larger ones. */
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

/** What holds where neither a definition nor the user's own file says something. */
export const defaults = {
  template: 'none',
  runtime: 'process',
  bind: '127.0.0.1',
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
  webhooks: { allow: [] },
  cors: { origins: [] },
  ports: { base: 'auto' },
  restart: { max: 5, windowMs: 60_000 },
  limits: { minFreeDisk: 268_435_456, maxBlobBytes: 68_719_476_736, maxUnpinnedBytes: 68_719_476_736 },
  batch: { maxMessages: 200, maxBytes: 819_200, paceMs: 0 },
  logs: { level: 'info', maxBytes: 20_971_520, maxFiles: 5 },
} as const;

/** The settings that a definition stands for; `user` holds where it says nothing. */
export function settingsOf(definition: StackDefinition, user: UserDefaults = {}): StackSettings {
  const parties = definition.parties.map(partyOf);
  const { chain, store } = definition;
  return {
    name: definition.name,
    template: definition.template ?? defaults.template,
    bind: definition.bind ?? defaults.bind,
    parties,
    namespaces: definition.namespaces ?? defaults.namespaces,
    chain: {
      chainId: chain?.chainId ?? defaults.chain.chainId,
      genesisTime: chain?.genesisTime ?? defaults.chain.genesisTime,
      mining: chain?.mining ?? defaults.chain.mining,
      allowRevert: chain?.allowRevert ?? defaults.chain.allowRevert,
      cors: { ...defaults.chain.cors, ...chain?.cors },
    },
    store: { cors: { ...defaults.store.cors, ...store?.cors } },
    tokens: tokenSettingsOf(
      definition.tokens,
      parties.map(({ name }) => name),
    ),
    keys: { ...defaults.keys, ...definition.keys },
    accounts: { ...defaults.accounts, ...definition.accounts },
    auth: { ...defaults.auth, ...definition.auth },
    webhooks: { ...defaults.webhooks, ...user.webhooks, ...definition.webhooks },
    cors: { ...defaults.cors, ...user.cors, ...definition.cors },
    ports: { ...defaults.ports, ...definition.ports },
    restart: { ...defaults.restart, ...user.restart, ...definition.restart },
    limits: { ...defaults.limits, ...user.limits, ...definition.limits },
    batch: { ...defaults.batch, ...user.batch, ...definition.batch },
    logs: { ...defaults.logs, ...user.logs, ...definition.logs },
  };
}

function partyOf(party: StackDefinition['parties'][number]): PartySettings {
  const { name, org, node } = typeof party === 'string' ? { name: party } : party;
  return { name, organization: org ?? name, node: node ?? `${name}-node` };
}
