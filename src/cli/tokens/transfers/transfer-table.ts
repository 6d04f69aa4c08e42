import type { transferListFlags } from '../flags.js';
import type { FlagsOf } from '../../flag-types.js';
import type { Parameters } from '../../../client/page.js';
import type { TokenPool, TokenTransfer } from '../../../wire/token.js';
import { resolveMessageId } from '../../requests/ids.js';
import { type Collection, printList } from '../../requests/list.js';
import { keysOfWord, type Owners, ownerText, readOwners } from '../../requests/owners.js';
import { readPools } from '../pools/pool-table.js';
import { recordText } from '../../requests/record-text.js';
import { ageColumn } from '../../terminal/table.js';
import { openTarget, type CommandContext, type Target } from '../../requests/target.js';
import { withChoices } from '../hints.js';
import { safe, shortId } from '../../terminal/text.js';

type Pools = ReadonlyMap<string, TokenPool>;

function transferCollection(owners: Owners, pools: Pools, nowMs: number): Collection<'listTokenTransfers'> {
  const owner = (key: string | undefined, isTerminal: boolean) =>
    key === undefined ? '' : ownerText(key, owners, isTerminal);
  return {
    route: 'listTokenTransfers',
    noun: 'transfers',
    keys: { id: ({ localId }) => localId, field: 'created', key: ({ created }) => created },
    columns: [
      { name: 'id', spare: 3, text: ({ localId }, isTerminal) => (isTerminal ? shortId(localId) : localId) },
      { name: 'type', text: ({ type }) => type },
      { name: 'amount', text: amountText },
      { name: 'pool', text: ({ pool }, isTerminal) => poolText(pool, pools, isTerminal) },
      { name: 'from', text: ({ from }, isTerminal) => owner(from, isTerminal) },
      { name: 'to', text: ({ to }, isTerminal) => owner(to, isTerminal) },
      { name: 'message', spare: 2, text: ({ message = '' }, tty) => (tty ? shortId(message) : message) },
      ageColumn('created', ({ created }) => created, nowMs, 1),
    ],
  };
}

/** `100`, or `#7` for the token with that index. */
function amountText({ amount, tokenIndex }: TokenTransfer): string {
  return tokenIndex === undefined ? amount : `#${tokenIndex}`;
}

function poolText(id: string, pools: Pools, isTerminal: boolean): string {
  return safe(pools.get(id)?.name ?? (isTerminal ? shortId(id) : id));
}

export type TransferListFlags = FlagsOf<typeof transferListFlags>;

/** `stack transfers`. @throws CliError NOT_FOUND, USAGE; ClientError, UnreachableError */
export async function listTransfers(flags: TransferListFlags, context: CommandContext): Promise<void> {
  const target = await openTarget(flags, context);
  const { client } = target.party;
  const [owners, pools] = await Promise.all([readOwners(client), readPools(client)]);
  const keys = (field: 'from' | 'to') => {
    const word = flags[field];
    return word === undefined ? [] : keysOfWord(word, owners, target).map((key) => [field, key] as const);
  };
  const message = flags.message === undefined ? undefined : await resolveMessageId(client, flags.message);
  const parameters: Parameters = [
    ...(flags.pool === undefined ? [] : [['pool', await poolId(flags.pool, target, context)] as const]),
    ...keys('from'),
    ...keys('to'),
    ...(message === undefined ? [] : [['message', message] as const]),
  ];
  await printList(flags, transferCollection(owners, pools, Date.now()), parameters, context);
}

async function poolId(nameOrId: string, target: Target, { program }: CommandContext): Promise<string> {
  try {
    return (await target.party.client.getTokenPool({ path: { nameOrId } })).value.id;
  } catch (error) {
    throw await withChoices(error, { pool: nameOrId }, target, program);
  }
}

/** Describes one transfer for a person. `values` are those of the attached message, if the node has them. */
export function transferText(
  transfer: TokenTransfer,
  { owners, pools, values }: { readonly owners: Owners; readonly pools: Pools; readonly values: string | undefined },
): string {
  const owner = (key: string | undefined) => (key === undefined ? undefined : ownerNamed(key, owners));
  return recordText([
    ['id', transfer.localId],
    ['type', transfer.type],
    ['pool', `${poolText(transfer.pool, pools, false)}  ${transfer.pool}`],
    ['amount', transfer.amount],
    ['token', transfer.tokenIndex],
    ['uri', transfer.uri],
    ['from', owner(transfer.from)],
    ['to', owner(transfer.to)],
    ['key', owner(transfer.key)],
    ['created', transfer.created],
    ['message', transfer.message],
    ['hash', transfer.messageHash],
    ['values', values],
    ['tx', transfer.tx?.id],
    ['protocol id', transfer.protocolId],
    ['event', transfer.blockchainEvent],
  ]);
}

function ownerNamed(key: string, owners: Owners): string {
  const name = owners.nameOf(key);
  return name === undefined ? key : `${name}  ${key}`;
}
