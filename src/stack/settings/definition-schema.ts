import { type Static, Type } from '@sinclair/typebox';
import { externalChainProperties, SecretFile } from './chain-settings.js';
import { DatabaseDefinition } from './database-settings.js';
import { externalStoreProperties } from './store-settings.js';
import { DockerDefinition } from './docker-settings.js';
import { TlsDefinition } from './tls-settings.js';
import { TokensDefinition } from './token-settings.js';

const strict = { additionalProperties: false };

/** A setting that is a whole number between limits, which its description names. */
function limited(what: string, minimum: number, maximum: number, shownMaximum = String(maximum)) {
  return Type.Optional(Type.Integer({ minimum, maximum, description: `${what} from ${minimum} to ${shownMaximum}` }));
}

/** Pattern of party and stack names; a party's name is also that of an organisation, a service and a directory. */
export const partyName = '^[a-z][a-z0-9-]{0,31}$';
/** Calls of wallets, which are browser extensions, have the extension as their origin. */
const originSchemes = 'https?|chrome-extension|moz-extension|safari-web-extension';
const Origins = Type.Array(
  Type.String({
    pattern: `^(?:${originSchemes})://[^/\\s*]+$`,
    description: 'an origin such as http://localhost:5173, without a path',
  }),
  { maxItems: 100, description: 'a list of at most 100 origins' },
);
/** Origins of web pages that may call a service. */
const Cors = Type.Object({ origins: Type.Optional(Origins) }, { ...strict, description: 'a mapping' });
/** Pattern of names in a network, such as those of namespaces. */
export const networkName = '^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$';

/** When the chain mines: at each transaction, or at intervals. */
const Mining = Type.Union(
  [
    Type.Literal('auto'),
    Type.Object(
      {
        intervalMs: Type.Integer({ minimum: 100, maximum: 600_000, description: 'milliseconds from 100 to 600000' }),
      },
      strict,
    ),
  ],
  { description: 'auto, or {intervalMs: N} with 100 to 600000 milliseconds' },
);

/** A party as a mapping. */
export const Party = Type.Object(
  {
    name: Type.String({ pattern: partyName, description: 'a name of a-z 0-9 - that begins with a letter' }),
    org: Type.Optional(Type.String({ pattern: networkName, description: 'an organisation name' })),
    node: Type.Optional(Type.String({ pattern: networkName, description: 'a node name' })),
    database: Type.Optional(DatabaseDefinition),
    tls: Type.Optional(TlsDefinition),
    key: Type.Optional(SecretFile),
    external: Type.Optional(Type.Boolean({ description: 'true (the user runs its node) or false' })),
  },
  strict,
);

/** The names of a party, without its other settings. */
export const PartyNames = Type.Object(Type.Pick(Party, ['name', 'org', 'node']).properties);

const CommandLines = Type.Array(Type.String({ minLength: 1, description: 'a command line' }), {
  maxItems: 100,
  description: 'a list of command lines',
});

/** The schema of `stack.yaml`. Descriptions complete the sentence "… must be". */
export const StackDefinition = Type.Object(
  {
    apiVersion: Type.Literal('stack/v1', { description: '"stack/v1"' }),
    name: Type.String({ pattern: partyName, description: 'a name of a-z 0-9 - that begins with a letter' }),
    template: Type.Optional(Type.String({ description: 'a template and its version, such as default@1' })),
    profile: Type.Optional(Type.Literal('firefly', { description: '"firefly", or absent' })),
    runtime: Type.Optional(
      Type.Union([Type.Literal('process'), Type.Literal('docker')], { description: 'process or docker' }),
    ),
    docker: Type.Optional(DockerDefinition),
    bind: Type.Optional(Type.String({ minLength: 1, maxLength: 253, description: 'an address of this machine' })),
    advertise: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9:]([A-Za-z0-9.:-]{0,251}[A-Za-z0-9])?$',
        description: 'the name or address by which other machines reach this one, without a port',
      }),
    ),
    tls: Type.Optional(TlsDefinition),
    trustedNetwork: Type.Optional(Type.Boolean({ description: 'true or false' })),
    copy: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{16}$',
        description: 'the 16 hexadecimal digits that distinguish a copy of a network from its original',
      }),
    ),
    parties: Type.Array(
      Type.Union([Type.String({ pattern: partyName }), Party], {
        description:
          'a name of a-z 0-9 - that begins with a letter, or {name, org, node, database, tls, key, external}',
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
          provider: Type.Optional(
            Type.Union([Type.Literal('hardhat'), Type.Literal('anvil'), Type.Literal('url')], {
              description: 'hardhat, anvil or url',
            }),
          ),
          ...externalChainProperties,
          chainId: Type.Optional(
            Type.Integer({ minimum: 1, maximum: 4_294_967_295, description: 'a whole number from 1' }),
          ),
          genesisTime: Type.Optional(
            Type.String({
              pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,3})?Z$',
              description: 'a time such as 2026-01-01T00:00:00Z',
            }),
          ),
          mining: Type.Optional(Mining),
          allowRevert: Type.Optional(Type.Boolean({ description: 'true or false' })),
          cors: Type.Optional(Cors),
        },
        { ...strict, description: 'a mapping' },
      ),
    ),
    store: Type.Optional(
      Type.Object(
        {
          provider: Type.Optional(
            Type.Union([Type.Literal('local'), Type.Literal('ipfs')], { description: 'local or ipfs' }),
          ),
          ...externalStoreProperties,
          cors: Type.Optional(Cors),
        },
        { ...strict, description: 'a mapping' },
      ),
    ),
    database: Type.Optional(DatabaseDefinition),
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
          spare: limited('a whole number', 0, 100),
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
    spi: Type.Optional(
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
    hosts: Type.Optional(
      Type.Array(
        Type.String({
          pattern: '^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$',
          description: 'a host name without a port',
        }),
        {
          maxItems: 100,
          description: 'a list of at most 100 host names',
        },
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
          nodes: Type.Optional(
            Type.Integer({ minimum: 1024, maximum: 65_400, description: 'a port from 1024 to 65400' }),
          ),
        },
        strict,
      ),
    ),
    restart: Type.Optional(
      Type.Object(
        {
          max: limited('a whole number', 0, 1_000),
          windowMs: limited('milliseconds', 1_000, 3_600_000),
        },
        strict,
      ),
    ),
    limits: Type.Optional(
      Type.Object(
        {
          minFreeDisk: limited('bytes', 0, 1_099_511_627_776, '1 TiB'),
          maxBlobBytes: limited('bytes', 1, 1_099_511_627_776, '1 TiB'),
          maxUnpinnedBytes: limited('bytes', 0, 1_099_511_627_776, '1 TiB'),
        },
        { ...strict, description: 'a mapping' },
      ),
    ),
    batch: Type.Optional(
      Type.Object(
        {
          maxMessages: limited('a whole number', 1, 200),
          maxBytes: limited('bytes', 1_024, 819_200),
          paceMs: limited('milliseconds', 0, 10_000),
        },
        { ...strict, description: 'a mapping' },
      ),
    ),
    seed: Type.Optional(
      Type.Array(Type.String({ minLength: 1, description: 'a path' }), {
        maxItems: 100,
        description: 'a list of seed files',
      }),
    ),
    hooks: Type.Optional(
      Type.Object(
        { ready: Type.Optional(CommandLines), stop: Type.Optional(CommandLines) },
        { ...strict, description: 'a mapping with lists of command lines: ready, stop' },
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
          maxBytes: limited('bytes', 65_536, 1_073_741_824, '1 GiB'),
          maxFiles: limited('a whole number', 1, 100),
        },
        strict,
      ),
    ),
  },
  { ...strict, description: 'a mapping of settings' },
);

export type StackDefinition = Static<typeof StackDefinition>;
