import type { Accounts } from '../../stack/keys/accounts.js';
import { operatorKeyOf, signingKeyFile, spareKeyFiles } from '../../stack/keys/keys.js';
import type { Stack } from '../../stack/places/locate.js';
import { readWallet } from '../../stack/keys/wallet-files.js';
import { textOf } from '../../wire/json/json.js';
import { type StackFlags, openChain } from './open-chain.js';
import { result } from '../terminal/output.js';
import { type Column, printTable, type TableOptions } from '../terminal/table.js';
import type { CommandContext } from '../requests/target.js';

/** `stack chain accounts`: lists the accounts with their balances and key files. @throws CliError NOT_RUNNING */
export async function showAccounts(flags: StackFlags & TableOptions, context: CommandContext): Promise<void> {
  const { output } = context;
  const { stack, reader, accounts } = await openChain(flags, context);
  const places = accounts === undefined ? [] : await accountsOf(stack, accounts);
  const rows = await Promise.all(
    places.map(async (place): Promise<AccountRow> => {
      return { ...place, balance: String(await reader.balance(place.address)) };
    }),
  );
  if (output.isJson) await output.json(textOf(result({ accounts: rows })));
  else if (output.isQuiet) await output.out.write(rows.map(({ address }) => `${address}\n`).join(''));
  else await printTable(output, rows, accountColumns, flags);
}

interface AccountRow {
  readonly owner: string;
  /** `wallet`: created later, by a user, or by the node for a custom identity. */
  readonly kind: 'operator' | 'member' | 'spare' | 'wallet';
  readonly address: string;
  /** Wei, in decimal digits. */
  readonly balance: string;
  readonly keyFile: string;
}

async function accountsOf(
  { layout, settings }: Stack,
  { operator, parties }: Accounts,
): Promise<Omit<AccountRow, 'balance'>[]> {
  const ofMembers = Object.entries(parties).map(async ([owner, { signing, spare }]) => [
    { owner, kind: 'member' as const, address: signing, keyFile: signingKeyFile(layout, owner) },
    ...spareKeyFiles(layout, owner, spare.length).map((keyFile, index) => {
      return { owner, kind: 'spare' as const, address: spare[index] ?? '', keyFile };
    }),
    ...(await readWallet(layout, owner))
      .filter(({ address }) => !spare.includes(address))
      .map((key) => ({ owner, kind: 'wallet' as const, ...key })),
  ]);
  const members = (await Promise.all(ofMembers)).flat();
  return [
    { owner: 'operator', kind: 'operator', address: operator, keyFile: operatorKeyOf(layout, settings) },
    ...members,
  ];
}

const accountColumns: readonly Column<AccountRow>[] = [
  { name: 'owner', text: ({ owner }) => owner },
  { name: 'kind', text: ({ kind }) => kind },
  { name: 'address', text: ({ address }) => address },
  { name: 'balance', text: ({ balance }, isTerminal) => (isTerminal ? etherOf(BigInt(balance)) : balance) },
  { name: 'key', spare: 1, text: ({ keyFile }) => keyFile },
];

const weiPerMilliether = 10n ** 15n;

/** Formats wei as `999999.998 ETH`, rounded down. */
function etherOf(wei: bigint): string {
  const thousandths = wei / weiPerMilliether;
  return `${thousandths / 1_000n}.${String(thousandths % 1_000n).padStart(3, '0')} ETH`;
}
