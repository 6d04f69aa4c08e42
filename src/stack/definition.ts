import { type Static, Type } from '@sinclair/typebox';
import { TokensDefinition, type TokenSettings, tokenSettingsOf } from './token-settings.js';

const strict = { additionalProperties: false };

/** A party, and a stack, is named like this; a party's name is also an organisation, a service, a directory. */
export const partyName = '^[a-z][a-z0-9-]{0,31}$';
const Origins = Type.Array(
  Type.String({
    pattern: '^https?://[^/\\s*]+$',
    description: 'an origin such as http://localhost:5173, without a path',
  }),
  { maxItems: 100, description: 'a list of at most 100 origins' },
);
/** The web pages that may call a service. */
const Cors = Type.Object({ origins: Type.Optional(Origins) }, { ...strict, description: 'a mapping' });
const networkName = '^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$';

const Party = Type.Object(
  {
    name: Type.String({ pattern: partyName, description: 'a name of a-z 0-9 - that begins with a letter' }),
    org: Type.Optional(Type.String({ pattern: networkName, description: 'an organisation name' })),
    node: Type.Optional(Type.String({ pattern: networkName, description: 'a node name' })),
  },
  strict,
);

/** Everything that a `stack.yaml` may say (cli, section 14). Descriptions complete the sentence "… must be". */
export const StackDefinition = Type.Object(
  {
    apiVersion: Type.Literal('stack/v1', { description: '"stack/v1"' }),
    name: Type.String({ pattern: partyName, description: 'a name of a-z 0-9 - that begins with a letter' }),
    template: Type.Optional(Type.String({ description: 'a template and its version, such as default@1' })),
    runtime: Type.Optional(Type.Literal('process', { description: '"process"' })),
    bind: Type.Optional(Type.String({ minLength: 1, maxLength: 253, description: 'an address of this machine' })),
    parties: Type.Array(
      Type.Union([Type.String({ pattern: partyName }), Party], {
        description: 'a name of a-z 0-9 - that begins with a letter, or {name, org, node}',
      }),
      { minItems: 1, maxItems: 40, description: 'a list of 1 to 40 parties' },
    ),
    namespaces: Type.Optional(
      Type.Array(Type.String({ pattern: networkName, description: 'a namespace name' }), {
        minItems: 1,
        maxItems: 100,
        description: 'a list of 1 to 100 names',
      }),
    ),
    chain: Type.Optional(
      Type.Object(
        {
          provider: Type.Optional(Type.Literal('hardhat', { description: '"hardhat"' })),
          chainId: Type.Optional(
            Type.Integer({ minimum: 1, maximum: 4_294_967_295, description: 'a whole number from 1' }),
          ),
          genesisTime: Type.Optional(
            Type.String({
              pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,3})?Z$',
              description: 'a time such as 2026-01-01T00:00:00Z',
            }),
          ),
          allowRevert: Type.Optional(Type.Boolean({ description: 'true or false' })),
          cors: Type.Optional(Cors),
        },
        { ...strict, description: 'a mapping' },
      ),
    ),
    store: Type.Optional(
      Type.Object(
        { provider: Type.Optional(Type.Literal('local', { description: '"local"' })), cors: Type.Optional(Cors) },
        { ...strict, description: 'a mapping' },
      ),
    ),
    database: Type.Optional(
      Type.Object({ provider: Type.Optional(Type.Literal('sqlite3', { description: '"sqlite3"' })) }, strict),
    ),
    tokens: Type.Optional(TokensDefinition),
    keys: Type.Optional(
      Type.Object(
        {
          source: Type.Optional(
            Type.Union([Type.Literal('random'), Type.Literal('test')], { description: 'random or test' }),
          ),
        },
        strict,
      ),
    ),
    accounts: Type.Optional(
      Type.Object(
        {
          spare: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, description: 'a whole number from 0 to 100' })),
        },
        strict,
      ),
    ),
    auth: Type.Optional(
      Type.Object(
        { enabled: Type.Optional(Type.Boolean({ description: 'true or false' })) },
        { ...strict, description: 'a mapping' },
      ),
    ),
    webhooks: Type.Optional(
      Type.Object(
        {
          allow: Type.Optional(
            Type.Array(
              Type.String({
                pattern: '^[0-9a-fA-F:.]+(/\\d{1,3})?$',
                description: 'an address, or a range of addresses such as 10.0.0.0/8',
              }),
              { maxItems: 100, description: 'a list of at most 100 ranges of private addresses' },
            ),
          ),
        },
        { ...strict, description: 'a mapping' },
      ),
    ),
    cors: Type.Optional(Cors),
    ports: Type.Optional(
      Type.Object(
        {
          base: Type.Optional(
            Type.Union([Type.Literal('auto'), Type.Literal('os'), Type.Integer({ minimum: 1024, maximum: 65_400 })], {
              description: 'auto, os or a port from 1024 to 65400',
            }),
          ),
        },
        strict,
      ),
    ),
    restart: Type.Optional(
      Type.Object(
        {
          max: Type.Optional(
            Type.Integer({ minimum: 0, maximum: 1_000, description: 'a whole number from 0 to 1000' }),
          ),
          windowMs: Type.Optional(
            Type.Integer({ minimum: 1_000, maximum: 3_600_000, description: 'milliseconds from 1000 to 3600000' }),
          ),
        },
        strict,
      ),
    ),
    limits: Type.Optional(
      Type.Object(
        {
          minFreeDisk: Type.Optional(
            Type.Integer({ minimum: 0, maximum: 1_099_511_627_776, description: 'bytes from 0 to 1 TiB' }),
          ),
        },
        { ...strict, description: 'a mapping' },
      ),
    ),
    logs: Type.Optional(
      Type.Object(
        {
          level: Type.Optional(
            Type.Union([Type.Literal('debug'), Type.Literal('info'), Type.Literal('warn'), Type.Literal('error')], {
              description: 'debug, info, warn or error',
            }),
          ),
          maxBytes: Type.Optional(
            Type.Integer({ minimum: 65_536, maximum: 1_073_741_824, description: 'bytes from 65536 to 1 GiB' }),
          ),
          maxFiles: Type.Optional(
            Type.Integer({ minimum: 1, maximum: 100, description: 'a whole number from 1 to 100' }),
          ),
        },
        strict,
      ),
    ),
  },
  { ...strict, description: 'a mapping of settings' },
);

/** What has a place in the format and is not part of this version: path pattern → the sentence that says so. */
export const laterSettings: readonly (readonly [path: RegExp, sentence: string])[] = [
  [/^\/batch$/, 'The limits of batches cannot be changed in this version; remove the key.'],
  [/^\/seed$/, 'Seeds are not part of this version; remove the key.'],
  [/^\/hooks$/, 'Hooks are not part of this version; remove the key.'],
  [/^\/docker$/, 'Containers are not part of this version; remove the key.'],
  [/^\/chain\/mining$/, 'The chain of this version mines each transaction at once; remove the key.'],
  [/^\/chain\/(url|confirmations|contracts|operatorKey)$/, 'External chains are not part of this version.'],
  [/^\/store\/(api|gateway)$/, 'External stores are not part of this version.'],
  [/^\/database\/url$/, 'PostgreSQL is not part of this version.'],
  [/^\/parties\/\d+\/(external|database|key)$/, 'A party of this version has a name, an org and a node only.'],
];

/** Settings that only some values of are part of this version: path → the sentence for every other value. */
export const laterValues: Readonly<Record<string, readonly [values: readonly unknown[], sentence: string]>> = {
  '/runtime': [['docker'], 'Containers are not part of this version: runtime must be process.'],
  '/chain/provider': [['url'], 'External chains are not part of this version: chain.provider must be hardhat.'],
  '/store/provider': [['ipfs'], 'External stores are not part of this version: store.provider must be local.'],
  '/database/provider': [['postgres'], 'PostgreSQL is not part of this version: database.provider must be sqlite3.'],
};

export type StackDefinition = Static<typeof StackDefinition>;

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
  };
  readonly logs: {
    readonly level: 'debug' | 'info' | 'warn' | 'error';
    readonly maxBytes: number;
    readonly maxFiles: number;
  };
}

/** The settings that a definition stands for. */
export function settingsOf(definition: StackDefinition): StackSettings {
  const parties = definition.parties.map(partyOf);
  return {
    name: definition.name,
    template: definition.template ?? 'none',
    bind: definition.bind ?? '127.0.0.1',
    parties,
    namespaces: definition.namespaces ?? ['default'],
    chain: {
      chainId: 31_337,
      genesisTime: '2026-01-01T00:00:00Z',
      allowRevert: false,
      ...definition.chain,
      cors: { origins: [], ...definition.chain?.cors },
    },
    store: { cors: { origins: [], ...definition.store?.cors } },
    tokens: tokenSettingsOf(
      definition.tokens,
      parties.map(({ name }) => name),
    ),
    keys: { source: 'random', ...definition.keys },
    accounts: { spare: 5, ...definition.accounts },
    auth: { enabled: false, ...definition.auth },
    webhooks: { allow: [], ...definition.webhooks },
    cors: { origins: [], ...definition.cors },
    ports: { base: 'auto', ...definition.ports },
    restart: { max: 5, windowMs: 60_000, ...definition.restart },
    limits: { minFreeDisk: 268_435_456, ...definition.limits },
    logs: { level: 'info', maxBytes: 20_971_520, maxFiles: 5, ...definition.logs },
  };
}

function partyOf(party: StackDefinition['parties'][number]): PartySettings {
  const { name, org, node } = typeof party === 'string' ? { name: party } : party;
  return { name, organization: org ?? name, node: node ?? `${name}-node` };
}
