import type { balanceFlags } from './flags.js';
import type { FlagsOf } from '../flag-types.js';
import type { Client } from '../../client/client.js';
import type { Parameters } from '../../client/page.js';
import type { TokenPool } from '../../wire/token.js';
import { balanceKeys, readBalances } from './holdings.js';
import { type Collection, printList, readFilter } from '../requests/list.js';
import type { Output } from '../terminal/output.js';
import { keysOfWord, type Owners, ownerText, readOwners } from '../requests/owners.js';
import { readPools } from './pools/pool-table.js';
import { ageColumn, type Column, printTable } from '../terminal/table.js';
import { openTarget, type CommandContext } from '../requests/target.js';
import { withChoices } from './hints.js';
import { safe, shortId } from '../terminal/text.js';

export type BalanceFlags = FlagsOf<typeof balanceFlags>;

/**
 * `stack balances`: on a terminal a matrix of parties and pools; elsewhere, with selected columns, or for one
 * non-fungible pool, a line for each balance.
 *
 * @throws CliError NOT_FOUND, USAGE; ClientError, UnreachableError
 */
export async function showBalances(flags: BalanceFlags, context: CommandContext): Promise<void> {
  const { output, program } = context;
  const target = await openTarget(flags, context);
  const { client } = target.party;
  const [owners, pools] = await Promise.all([readOwners(client), readPools(client)]);
  const pool = flags.pool === undefined ? undefined : await findPool(flags.pool);
  const keys = flags.key === undefined ? [] : keysOfWord(flags.key, owners, target);
  const parameters: Parameters = [
    ...(pool === undefined ? [] : [['pool', pool.id] as const]),
    ...keys.map((key) => ['key', key] as const),
  ];
  if (output.isQuiet) await printNumbers(client, [...parameters, ...(flags.filter ?? []).map(readFilter)], output);
  else if (isMatrix(flags, pool, output)) {
    await printMatrix(
      { client, owners, pools: pool === undefined ? pools : new Map([[pool.id, pool]]) },
      parameters,
      flags,
      output,
    );
  } else {
    // Zero balances are hidden from a person.
    const shown =
      output.isJson || flags.filter !== undefined ? parameters : [...parameters, ['balance', '>0'] as const];
    await printList(flags, balanceCollection(owners, pools, Date.now()), shown, context);
  }

  async function findPool(nameOrId: string): Promise<TokenPool> {
    const known = [...pools.values()].find(({ id, name }) => name === nameOrId || id === nameOrId);
    if (known !== undefined) return known;
    try {
      return (await client.getTokenPool({ path: { nameOrId } })).value;
    } catch (error) {
      throw await withChoices(error, flags, target, program);
    }
  }
}

function isMatrix(flags: BalanceFlags, pool: TokenPool | undefined, { isJson, out }: Output): boolean {
  if (isJson || !out.isTerminal || flags.all || flags.columns !== undefined || flags.filter !== undefined) return false;
  return pool?.type !== 'nonfungible';
}

function balanceCollection(
  owners: Owners,
  pools: ReadonlyMap<string, TokenPool>,
  nowMs: number,
): Collection<'listTokenBalances'> {
  return {
    route: 'listTokenBalances',
    noun: 'balances',
    keys: balanceKeys,
    columns: [
      { name: 'owner', text: ({ key }, isTerminal) => ownerText(key, owners, isTerminal) },
      { name: 'key', spare: 2, text: ({ key }) => safe(key) },
      {
        name: 'pool',
        text: ({ pool }, isTerminal) => safe(pools.get(pool)?.name ?? (isTerminal ? shortId(pool) : pool)),
      },
      { name: 'token', text: ({ tokenIndex }) => (tokenIndex === undefined ? '' : `#${tokenIndex}`) },
      { name: 'balance', text: ({ balance }) => balance },
      { name: 'uri', spare: 3, text: ({ uri }) => safe(uri ?? '') },
      ageColumn('updated', ({ updated }) => updated, nowMs, 1),
    ],
  };
}

/** Prints only the numbers, for scripts. */
async function printNumbers(client: Client, parameters: Parameters, { out }: Output): Promise<void> {
  for await (const { value } of readBalances(client, parameters)) await out.write(`${value.balance}\n`);
}

interface MatrixParts {
  readonly client: Client;
  readonly owners: Owners;
  readonly pools: ReadonlyMap<string, TokenPool>;
}

interface Row {
  readonly owner: string;
  /** By pool id; for a non-fungible pool the number of tokens. */
  readonly amounts: ReadonlyMap<string, bigint>;
}

async function printMatrix(
  { client, owners, pools }: MatrixParts,
  parameters: Parameters,
  flags: BalanceFlags,
  output: Output,
): Promise<void> {
  const rows = new Map<string, Map<string, bigint>>();
  for await (const { value } of readBalances(client, parameters)) {
    const owner = ownerText(value.key, owners, true);
    const amounts = rows.get(owner) ?? new Map<string, bigint>();
    amounts.set(value.pool, (amounts.get(value.pool) ?? 0n) + BigInt(value.balance));
    rows.set(owner, amounts);
  }
  if (rows.size === 0) {
    await output.note('No account has tokens.');
    return;
  }
  const sorted = [...rows].map(([owner, amounts]): Row => ({ owner, amounts }));
  sorted.sort((a, b) => (a.owner < b.owner ? -1 : 1));
  await printTable(output, sorted, matrixColumns(sorted, pools), { hasHeaders: !flags['no-headers'] });
}

function matrixColumns(rows: readonly Row[], pools: ReadonlyMap<string, TokenPool>): readonly Column<Row>[] {
  const held = new Set(rows.flatMap(({ amounts }) => [...amounts.keys()]));
  const oldestFirst = [...held].sort((a, b) =>
    (pools.get(a)?.created ?? '') < (pools.get(b)?.created ?? '') ? -1 : 1,
  );
  return [
    { name: 'owner', text: ({ owner }) => owner },
    ...oldestFirst.map((id, index): Column<Row> => {
      const pool = pools.get(id);
      const texts = rows.map(({ amounts }) => amountText(amounts.get(id), pool));
      const name = safe(pool?.name ?? shortId(id));
      const width = Math.max(name.length, ...texts.map(({ length }) => length));
      // On a narrow terminal the newest pools are omitted first.
      return {
        name: name.padStart(width),
        spare: index + 1,
        text: ({ amounts }) => amountText(amounts.get(id), pool).padStart(width),
      };
    }),
  ];
}

function amountText(amount: bigint | undefined, pool: TokenPool | undefined): string {
  if (amount === undefined) return '-';
  return pool?.type === 'nonfungible' ? `${amount} ×` : String(amount);
}
