import type { TokenTransfer, TransferRequest } from '../../../wire/token.js';
import { textOf, valueOf } from '../../../wire/json/json.js';
import { CliError } from '../../errors/exit.js';
import { hasSameData } from '../../messages/sending/same-content.js';
import { isAddress, readOwners } from '../../requests/owners.js';
import type { Target } from '../../requests/target.js';
import type { TokenVerb } from '../token-flags.js';

/**
 * Checks that an earlier operation with the same idempotency key is the requested one.
 *
 * @throws CliError CONFLICT if its kind or content differs; ClientError, UnreachableError
 */
export async function requireSameTransfer(
  verb: TokenVerb,
  request: TransferRequest,
  earlier: TokenTransfer,
  { target, program }: { readonly target: Target; readonly program: string },
): Promise<void> {
  const difference = await differenceOf(verb, request, earlier, target);
  if (difference === undefined) return;
  const { localId: id, type } = earlier;
  const key = request.idempotencyKey ?? '';
  throw new CliError('CONFLICT', `The idempotency key "${key}" belongs to an earlier ${type}: ${difference} differ.`, {
    hint: `Nothing was sent. Use another key, or see the earlier one: ${program} transfers get ${id}`,
    details: { earlier: id },
  });
}

async function differenceOf(
  verb: TokenVerb,
  { pool, amount, tokenIndex, to, from, message }: TransferRequest,
  earlier: TokenTransfer,
  target: Target,
): Promise<string | undefined> {
  const { client } = target.party;
  if (earlier.type !== verb) return 'the kinds';
  if (pool !== undefined && (await client.getTokenPool({ path: { nameOrId: pool } })).value.id !== earlier.pool) {
    return 'the pools';
  }
  if (tokenIndex !== undefined && textOf(earlier.tokenIndex ?? '') !== tokenIndex) return 'the tokens';
  if (BigInt(digitsOf(amount)) !== BigInt(await amountOf(earlier, target))) return 'the amounts';
  if (!(await isOwner(to ?? (verb === 'mint' ? earlier.key : undefined), earlier.to, target))) return 'the recipients';
  if (!(await isOwner(from, earlier.from, target))) return 'the owners';
  if ((message === undefined) !== (earlier.message === undefined)) return 'the messages';
  if (message === undefined || earlier.message === undefined) return undefined;
  const attached = (await client.getMessage({ path: { msgid: earlier.message } })).value;
  return (await hasSameData(message.data ?? [], attached, target)) ? undefined : 'the messages';
}

/** The requested amount. Each token of a non-fungible pool has its own transfer, with amount 1. */
async function amountOf({ tokenIndex, amount, tx }: TokenTransfer, { party: { client } }: Target): Promise<string> {
  if (tokenIndex === undefined || tx?.id === undefined) return amount;
  const { value: operations } = await client.listTransactionOperations({ path: { transactionid: tx.id } });
  const input = operations.find(({ type }) => type === 'token_transfer')?.input;
  const value = input === undefined ? undefined : valueOf(input);
  const asked: unknown = value instanceof Object ? Reflect.get(value, 'amount') : undefined;
  return typeof asked === 'string' ? asked : amount;
}

function digitsOf(amount: string | undefined): string {
  return (amount ?? '1').replaceAll('"', '');
}

/** Whether an address or name belongs to a key. True if it is missing or unknown, which the node checks. */
async function isOwner(word: string | undefined, key: string | undefined, { party }: Target): Promise<boolean> {
  if (word === undefined || key === undefined) return true;
  if (isAddress(word)) return word.toLowerCase() === key;
  const keys = (await readOwners(party.client)).keysOf(word);
  return keys.length === 0 || keys.includes(key);
}
