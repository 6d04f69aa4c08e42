import { type Static, Type } from '@sinclair/typebox';
import { type ConnectorName, connectorNames } from '../../wire/tokens/connector.js';

const strict = { additionalProperties: false };

const Connector = Type.Object(
  {
    name: Type.Union(
      connectorNames.map((name) => Type.Literal(name)),
      { description: connectorNames.join(' or ') },
    ),
  },
  { ...strict, description: 'a mapping with a name' },
);

/** Numbers above 2^53 - 1 lose digits when parsed; as text any amount is exact. */
const Amount = Type.Union([Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), Type.String()], {
  description: 'a whole number from 1, in quotes above 9007199254740991',
});

const Pool = Type.Object(
  {
    name: Type.String({
      pattern: '^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$',
      description: 'the name of a pool',
    }),
    type: Type.Union([Type.Literal('fungible'), Type.Literal('nonfungible')], {
      description: 'fungible or nonfungible',
    }),
    owner: Type.Optional(Type.String({ description: 'the name of a party' })),
    connector: Type.Optional(Type.String({ description: 'the name of a connector' })),
    symbol: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'a text of 1 to 64 characters' })),
    balances: Type.Optional(
      Type.Record(Type.String(), Amount, { description: 'a mapping of parties, or all, to what they are given' }),
    ),
  },
  { ...strict, description: 'a mapping with a name and a type' },
);

/** The key `tokens` of a `stack.yaml`. */
export const TokensDefinition = Type.Object(
  {
    connectors: Type.Optional(
      Type.Array(Connector, {
        maxItems: connectorNames.length,
        description: `a list of at most ${connectorNames.length} connectors`,
      }),
    ),
    pools: Type.Optional(Type.Array(Pool, { maxItems: 100, description: 'a list of at most 100 pools' })),
  },
  { ...strict, description: 'a mapping' },
);
type TokensDefinition = Static<typeof TokensDefinition>;

/** A pool that a start creates if it is missing. */
export interface PoolSettings {
  readonly name: string;
  readonly type: 'fungible' | 'nonfungible';
  /** Name of the party that creates it and mints. */
  readonly owner: string;
  readonly connector: string;
  readonly symbol: string | undefined;
  /** Initial balances of parties: an amount in decimal digits, or for a non-fungible pool a number of tokens. */
  readonly balances: readonly { readonly party: string; readonly amount: string }[];
}

export interface TokenSettings {
  /** The default one first; empty = a stack without tokens. */
  readonly connectors: readonly ConnectorName[];
  readonly pools: readonly PoolSettings[];
}

/** Stands for every party in balances; no party may have this name. */
const everyParty = 'all';

/** The settings of the key `tokens`. The first party owns pools that name no owner. */
export function tokenSettingsOf(
  definition: TokensDefinition | undefined,
  parties: readonly string[],
  profile?: 'firefly',
): TokenSettings {
  const connectors =
    definition?.connectors?.map(({ name }) => name) ??
    (profile === 'firefly' ? (['erc20_erc721', 'erc1155'] as const) : (['erc1155'] as const));
  const pools = (definition?.pools ?? []).map(({ name, type, owner, connector, symbol, balances = {} }) => ({
    name,
    type,
    owner: owner ?? parties[0] ?? '',
    connector: connector ?? connectors[0] ?? '',
    symbol,
    balances: balancesOf(balances, parties),
  }));
  return { connectors, pools };
}

/** A balance given for a party takes precedence over that for all. */
function balancesOf(
  { [everyParty]: forAll, ...named }: Readonly<Record<string, number | string>>,
  parties: readonly string[],
): PoolSettings['balances'] {
  const all = forAll === undefined ? [] : parties.map((party) => [party, forAll] as const);
  const amounts = new Map<string, number | string>([...all, ...Object.entries(named)]);
  return [...amounts].map(([party, amount]) => ({ party, amount: String(amount) }));
}

/** Problems beyond the schema: undefined and ambiguous names. */
export function tokenProblems(
  { connectors, pools }: TokenSettings,
  parties: readonly string[],
): { readonly path: string; readonly message: string }[] {
  const problems: { path: string; message: string }[] = [];
  const find = (path: string, isWrong: boolean, message: string) => {
    if (isWrong) problems.push({ path: `/tokens/${path}`, message });
  };
  const twice = connectors.find((name, index) => connectors.indexOf(name) < index);
  find('connectors', twice !== undefined, `The connector ${twice} is listed twice.`);
  pools.forEach(({ name, type, owner, connector, balances }, index) => {
    const at = `pools/${index}`;
    const isConnector = connectors.some((each) => each === connector);
    find(`${at}/name`, pools.findIndex((pool) => pool.name === name) < index, `Two pools have the name ${name}.`);
    find(`${at}/owner`, !parties.includes(owner), `There is no party ${owner}.`);
    if (connectors.length === 0) find(at, true, 'A pool needs a connector, and tokens.connectors is empty.');
    else find(`${at}/connector`, !isConnector, `There is no connector ${connector}.`);
    for (const { party, amount } of balances) {
      const place = `${at}/balances/${party}`;
      find(place, !parties.includes(party), `There is no party ${party}.`);
      const isNumber = /^[1-9][0-9]*$/.test(amount);
      find(place, !isNumber, `${amount} is not a whole number from 1.`);
      find(place, isNumber && !isUint256(amount), `${amount} is more than 2^256 - 1, the maximum balance.`);
      find(
        place,
        type === 'nonfungible' && Number(amount) > maxTokens,
        `At most ${maxTokens} tokens can be minted at once, not ${amount}.`,
      );
    }
  });
  return problems;
}

/** The length comes first: converting a very long text takes long. */
function isUint256(digits: string): boolean {
  return digits.length <= 78 && BigInt(digits) < 2n ** 256n;
}

/** Maximum number of non-fungible tokens in one mint (docs/api.md §19.2). */
const maxTokens = 250;
