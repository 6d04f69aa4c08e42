import { isAbsolute, resolve } from 'node:path';
import { type Static, type TObject, Type } from '@sinclair/typebox';

const strict = { additionalProperties: false };
const Address = Type.String({
  pattern: '^0x[0-9a-fA-F]{40}$',
  description: 'an address: 0x and 40 hexadecimal digits',
});
/** The setting of a file with a key or credentials. */
export const SecretFile = Type.String({
  pattern: '^file:.+$',
  maxLength: 4_096,
  description: 'file: and the path of a file of mode 0600',
});
const Gwei = Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000_000, description: 'a number of gwei above 0' });

/** The settings of a chain that others run (`provider: url`). */
export const externalChainProperties = {
  url: Type.Optional(
    Type.String({ pattern: '^https?://[^\\s@]+$', description: 'an address such as https://chain.example:8545' }),
  ),
  ws: Type.Optional(
    Type.String({ pattern: '^wss?://[^\\s@]+$', description: 'an address such as wss://chain.example:8546' }),
  ),
  confirmations: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000, description: 'a whole number from 0 to 1000' }),
  ),
  final: Type.Optional(Type.Boolean({ description: 'true or false' })),
  contracts: Type.Optional(
    Type.Object(
      { network: Address, tokens: Type.Optional(Type.Record(Type.String(), Address, { description: 'a mapping' })) },
      { ...strict, description: 'a mapping with the address of the network' },
    ),
  ),
  operatorKey: Type.Optional(SecretFile),
  funder: Type.Optional(SecretFile),
  authFile: Type.Optional(SecretFile),
  fees: Type.Optional(
    Type.Object(
      { maxGwei: Type.Optional(Gwei), tipGwei: Type.Optional(Gwei) },
      { ...strict, description: 'a mapping of maxGwei and tipGwei' },
    ),
  ),
};
const externalKeys: readonly string[] = Object.keys(externalChainProperties);

/** Keys that apply only to the stack's own chain. */
const localKeys: readonly string[] = ['genesisTime', 'mining', 'allowRevert', 'cors'];

/** A chain that others run. Paths are absolute. */
export interface ExternalChain {
  readonly url: string;
  /** Null: the chain is polled for its newest block. */
  readonly ws: string | null;
  readonly confirmations: number;
  /** Null: the id that the chain has at the first start. */
  readonly chainId: number | null;
  /** Null: deployed at the first start. */
  readonly contracts: { readonly network: string; readonly tokens: Readonly<Record<string, string>> } | null;
  readonly operatorKey: string | null;
  readonly funder: string | null;
  readonly authFile: string | null;
  readonly fees: { readonly maxGwei?: number; readonly tipGwei?: number };
}

type Definition = Static<TObject<typeof externalChainProperties>> & {
  readonly provider?: string;
  readonly chainId?: number;
};

const defaultConfirmations = 3;

/** The external chain of a definition; null for a local one. */
export function externalChainOf(chain: Definition | undefined): ExternalChain | null {
  if (chain?.provider !== 'url' || chain.url === undefined) return null;
  const { contracts } = chain;
  return {
    url: chain.url,
    ws: chain.ws ?? null,
    confirmations: chain.confirmations ?? (chain.final === true ? 0 : defaultConfirmations),
    chainId: chain.chainId ?? null,
    contracts:
      contracts === undefined ? null : { network: lower(contracts.network), tokens: lowered(contracts.tokens) },
    operatorKey: pathOf(chain.operatorKey),
    funder: pathOf(chain.funder),
    authFile: pathOf(chain.authFile),
    fees: chain.fees ?? {},
  };
}

/** The path in a setting `file:PATH`; null without one. */
export function pathOf(setting: string | undefined): string | null {
  return setting?.slice('file:'.length) ?? null;
}

function lower(address: string): string {
  return address.toLowerCase();
}

function lowered(addresses: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(addresses).map(([name, address]) => [name, lower(address)]));
}

/** The chain with its paths resolved against the directory of `stack.yaml`. */
export function withFilesFrom(directory: string, chain: ExternalChain): ExternalChain {
  const from = (path: string | null) => fileFrom(directory, path);
  return {
    ...chain,
    operatorKey: from(chain.operatorKey),
    funder: from(chain.funder),
    authFile: from(chain.authFile),
  };
}

/** Resolves the path of a file against a directory. */
export function fileFrom(directory: string, path: string | null): string | null {
  return path === null || isAbsolute(path) ? path : resolve(directory, path);
}

/** Invalid combinations that the schema allows: the member, and what is wrong with it. */
export function chainProblems(chain: Definition | undefined): { readonly path: string; readonly message: string }[] {
  if (chain === undefined) return [];
  const given = Object.keys(chain);
  if (chain.provider !== 'url') {
    const foreign = given.find((key) => externalKeys.includes(key));
    if (foreign === undefined) return [];
    const message = `chain.${foreign} is for a chain that others run: add provider: url, or remove it.`;
    return [{ path: `/chain/${foreign}`, message }];
  }
  const problems = given
    .filter((key) => localKeys.includes(key))
    .map((key) => ({ path: `/chain/${key}`, message: `chain.${key} is for the stack's own chain: remove it.` }));
  if (chain.url === undefined) {
    problems.push({ path: '/chain', message: 'chain.provider url needs chain.url, the address of the chain.' });
  }
  if (chain.confirmations === 0 && chain.final !== true) {
    const message =
      'chain.confirmations is 0, but the chain may revert blocks: set it above 0, or declare chain.final: true.';
    problems.push({ path: '/chain/confirmations', message });
  }
  return problems;
}
